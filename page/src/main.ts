import { readFilm } from "./film";
void readFilm(document.getElementById("film")!.textContent!).then((film) => {
  document.getElementById("message")!.textContent = `${film.bodies.length} bodies, ${film.steps.length} steps`;
});
