"""The endpoints for pages to print: markers and mats. The printer is passed to the app, since `web` cannot import
`companion.kit`."""

from __future__ import annotations

from collections.abc import Callable

from flask import Response, current_app

from companion.errors import BadInput
from web.access import language
from web.inputs import MarkersQuery, MatQuery

Printer = Callable[[str, str, str | None], bytes]  # takes paper, language and game: its mat as PDF; None: loose markers


def markers(query: MarkersQuery) -> Response:
    return _printed(query.paper, None)


def mat(query: MatQuery) -> Response:
    return _printed(query.paper, query.game)


def _printed(paper: str, game_id: str | None) -> Response:
    printer: Printer | None = current_app.extensions["printer"]
    if printer is None:
        raise BadInput("", "kit-missing")
    name = f"mat-{game_id}.pdf" if game_id else "markers.pdf"
    headers = {"Content-Disposition": f'inline; filename="{name}"'}
    return Response(printer(paper, language(), game_id), mimetype="application/pdf", headers=headers)
