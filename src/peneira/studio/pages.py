"""The pages of the studio: open a page, see its table, correct it, take it along."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from peneira.errors import ArgumentError, PeneiraError
from peneira.service.library import library_key, path_name
from peneira.service.reading import PageInput
from peneira.service.service import Service
from peneira.service.table_files import FORMATS, table_file
from peneira.studio.code_samples import python_code
from peneira.studio.correction_forms import correction_of
from peneira.studio.errors_over_http import status_of
from peneira.studio.framed_page import FRAME_POLICY, framed_html
from peneira.studio.outlines import Pick, outlines, picked
from peneira.studio.page_forms import checked, fields_of, inputs_of
from peneira.studio.screen_wrapper import wrapper_of_screen
from peneira.studio.screens import VIEWS, Screen, default_view
from peneira.studio.templating import go_to, page
from peneira.studio.workspaces import UnknownWorkspace, Workspaces, open_pages
from peneira.studio.wrapper_pages import add_wrapper_pages
from peneira.wrappers.corrections import Show

DEMO = Path(__file__).with_name("demo_page.html")
DEMO_URL = "https://vagas.example/jobs"


def studio_router(service: Service) -> APIRouter:
    """Return the routes of the studio."""
    router = APIRouter(default_response_class=Response)
    workspaces = Workspaces()
    _add_opening(router, service, workspaces)
    _add_workspace(router, service, workspaces)
    _add_changes(router, service, workspaces)
    _add_downloads(router, service, workspaces)
    add_wrapper_pages(router, service)
    return router


def _add_opening(router: APIRouter, service: Service, workspaces: Workspaces) -> None:
    @router.get("/")
    async def home() -> Response:
        return page("home.html", error="", url="")

    @router.post("/open")
    async def open_(request: Request) -> Response:
        inputs, url = await inputs_of(request)
        try:
            pages = await open_pages(service, checked(inputs))
        except PeneiraError as error:
            return page("home.html", status=status_of(error), error=str(error), url=url)
        return go_to(f"/w/{workspaces.add(pages).id}")

    @router.post("/demo")
    async def demo() -> Response:
        inputs = [PageInput(DEMO.read_bytes(), DEMO_URL, "Demo: jobs in technology")]
        pages = await open_pages(service, inputs)
        return go_to(f"/w/{workspaces.add(pages).id}")


def _add_workspace(router: APIRouter, service: Service, workspaces: Workspaces) -> None:
    @router.get("/w/{workspace_id}")
    async def workspace(request: Request, workspace_id: str) -> Response:
        try:
            screen = screen_of(request, workspaces, workspace_id)
            message = request.query_params.get("message", "")
            return await service.queue.run(lambda: _workspace_page(service, screen, message[:300]))
        except UnknownWorkspace as error:
            return page("home.html", status=404, error=str(error), url="")

    @router.get("/w/{workspace_id}/frame")
    async def frame(request: Request, workspace_id: str) -> Response:
        screen = screen_of(request, workspaces, workspace_id)
        html = await service.queue.run(lambda: framed_html(screen.opened.page))
        return Response(html, media_type="text/html", headers={"content-security-policy": FRAME_POLICY})

    @router.get("/w/{workspace_id}/picture")
    async def picture(request: Request, workspace_id: str) -> Response:
        layout = screen_of(request, workspaces, workspace_id).opened.page.layout
        if layout is None or layout.screenshot is None:
            raise ArgumentError("this page was not rendered")
        return Response(layout.screenshot, media_type="image/png")

    @router.get("/w/{workspace_id}/outlines")
    async def outline(request: Request, workspace_id: str) -> Response:
        screen = screen_of(request, workspaces, workspace_id)
        opened = screen.opened
        return JSONResponse(
            await service.queue.run(lambda: outlines(opened.page, opened.result, screen.number, screen.region))
        )


def _workspace_page(service: Service, screen: Screen, message: str, status: int = 200) -> Response:
    key = _key_of(screen)
    versions = service.library.last_number(key)
    return page("workspace.html", status=status, screen=screen, message=message, key=key, versions=versions)


def screen_of(request: Request, workspaces: Workspaces, workspace_id: str) -> Screen:
    """Return the screen that an address names; what it gets wrong is as if it were not there."""
    workspace = workspaces.get(workspace_id)
    query = request.query_params
    index = _number(query.get("page"), len(workspace.pages) - 1, 0)
    count = len(workspace.pages[index].result.regions)
    number = _number(query.get("list"), count, workspace.default_list(index))
    view = next((name for name in VIEWS if name == query.get("view")), None)
    view = view or default_view(workspace.pages[index].result)
    return Screen(workspace, index, number, view, is_full=query.get("rows") == "all")


def _number(text: str | None, most: int, otherwise: int) -> int:
    return min(int(text), most) if text and text.isascii() and text.isdigit() and len(text) < 7 else otherwise


def _key_of(screen: Screen) -> str:
    """Return the name under which a wrapper of this list would be saved: its host, and the words of its path."""
    url = screen.opened.page.url
    name = screen.opened.name.rpartition(".")[0] or screen.opened.name if url is None else path_name(url)
    return library_key(url, name if screen.number == 1 else f"{name}-{screen.number}")


def _add_changes(router: APIRouter, service: Service, workspaces: Workspaces) -> None:
    async def changed(request: Request, workspace_id: str, change: Callable[[Screen, dict[str, str]], str]) -> Response:
        """Make a change and show the screen again, with a message where it could not be made."""
        screen = screen_of(request, workspaces, workspace_id)
        form = await fields_of(request)
        try:
            query, message = await service.queue.run(lambda: change(screen, form)), ""
        except PeneiraError as error:
            query, message = screen.query, str(error)
        note = f"&{urlencode({'message': message})}" if message else ""
        return go_to(f"/w/{workspace_id}?{query}{note}")

    @router.post("/w/{workspace_id}/correct")
    async def correct(request: Request, workspace_id: str) -> Response:
        def change(screen: Screen, form: dict[str, str]) -> str:
            region = screen.region
            if region is None:
                raise ArgumentError("there is no list on this page")
            screen.workspace.correct(screen.index, screen.number, correction_of(form, region))
            return screen.query

        return await changed(request, workspace_id, change)

    @router.post("/w/{workspace_id}/undo")
    async def undo(request: Request, workspace_id: str) -> Response:
        def change(screen: Screen, form: dict[str, str]) -> str:
            screen.workspace.undo(screen.index, screen.number)
            return screen.query

        return await changed(request, workspace_id, change)

    @router.post("/w/{workspace_id}/pick")
    async def pick(request: Request, workspace_id: str) -> Response:
        screen = screen_of(request, workspaces, workspace_id)
        row = (await fields_of(request)).get("row", "")
        found = await service.queue.run(lambda: _picked(screen, _number(row, len(screen.opened.page), -1)))
        return JSONResponse({"kind": found.kind, "column": found.column, "record": found.record, "list": found.number})

    @router.post("/w/{workspace_id}/learn")
    async def learn(request: Request, workspace_id: str) -> Response:
        def change(screen: Screen, form: dict[str, str]) -> str:
            wrapper = wrapper_of_screen(screen.workspace, screen.index, screen.number)
            key = library_key(screen.opened.page.url, form.get("name", ""))
            sample = wrapper.extract(screen.opened.page).main
            service.library.save(key, wrapper, "learned in the studio", sample.table if sample else None)
            return key

        screen = screen_of(request, workspaces, workspace_id)
        form = await fields_of(request)
        try:
            key = await service.queue.run(lambda: change(screen, form))
        except PeneiraError as error:
            message, status = str(error), status_of(error)
            return await service.queue.run(lambda: _workspace_page(service, screen, message, status))
        return go_to(f"/wrappers/{key}")


def _picked(screen: Screen, row: int) -> Pick:
    """Return what stands at a row; a value that no shown column has becomes a column."""
    opened = screen.opened
    found = picked(opened.page, opened.result, screen.number, screen.region, row)
    if found.kind == "hidden":
        screen.workspace.correct(screen.index, screen.number, Show(found.column))
    return found


def _add_downloads(router: APIRouter, service: Service, workspaces: Workspaces) -> None:
    @router.get("/w/{workspace_id}/download/{name}")
    async def download(request: Request, workspace_id: str, name: str) -> Response:
        screen = screen_of(request, workspaces, workspace_id)
        all_pages = request.query_params.get("pages") == "all"
        table = await service.queue.run(
            lambda: screen.workspace.table(screen.index, screen.number, all_pages=all_pages)
        )
        data = await service.queue.run(lambda: table_file(table, name))
        format_ = FORMATS[name]
        headers = {"content-disposition": f'attachment; filename="records.{format_.ending}"'}
        return Response(data, media_type=format_.media_type, headers=headers)

    @router.get("/w/{workspace_id}/copy/{form}")
    async def copy(request: Request, workspace_id: str, form: str) -> Response:
        screen = screen_of(request, workspaces, workspace_id)

        def text() -> str:
            if form == "python":
                corrections = screen.workspace.corrections_of(screen.index, screen.number)
                return python_code(screen.opened.page.url, screen.number, corrections)
            if form == "scrapy":
                from peneira.wrappers.export import exported

                return exported(wrapper_of_screen(screen.workspace, screen.index, screen.number), "scrapy")
            if form not in ("csv", "md"):
                raise ArgumentError("copy as csv, md, python or scrapy")
            return table_file(screen.workspace.table(screen.index, screen.number), form).decode()

        return PlainTextResponse(await service.queue.run(text))
