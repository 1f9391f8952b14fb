"""A headless Chromium, driven by Selenium, for the replay page: its measurements, and its tests."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
    "--enable-unsafe-swiftshader",  # WebGL without a graphics card
    "--hide-scrollbars", "--disable-extensions",
)  # fmt: skip


def what_is_missing() -> str:
    """Return what keeps a browser from being driven, or an empty string."""
    try:
        import selenium  # noqa: F401
    except ImportError:
        return "selenium is not installed; run pip install selenium"
    if not _browser():
        return f"no Chromium on the path ({', '.join(BROWSERS)}); install the package chromium"
    return "" if shutil.which("chromedriver") else "no chromedriver on the path; install the package chromium-driver"


@contextmanager
def chromium(width: int = 1280, height: int = 720) -> Iterator[Chrome]:
    """Start a browser with an empty profile and a window of a size, and quit it at the end."""
    from selenium.webdriver import Chrome, ChromeOptions
    from selenium.webdriver.chrome.service import Service

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        options = ChromeOptions()
        options.binary_location = _browser() or ""
        for flag in (*FLAGS, f"--user-data-dir={profile}"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        driver = Chrome(options=options, service=Service(shutil.which("chromedriver") or ""))
        try:
            set_window(driver, width, height)
            yield driver
        finally:
            driver.quit()


def set_window(driver: Chrome, width: int, height: int, is_phone: bool = False) -> None:
    """Give the page a size in CSS pixels, perhaps with the fine screen of a phone."""
    metrics = {"width": width, "height": height, "deviceScaleFactor": 2 if is_phone else 1, "mobile": is_phone}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve the files of a folder on this machine and return the address, which ends in a slash."""

    class Handler(SimpleHTTPRequestHandler):
        extensions_map = {  # noqa: RUF012
            **SimpleHTTPRequestHandler.extensions_map, ".mjs": "text/javascript", ".wasm": "application/wasm",
        }  # fmt: skip

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(folder))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()


def _browser() -> str | None:
    """Return the path of a Chromium."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)
