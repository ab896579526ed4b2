"""The endpoints with which the reader learns the table's own set of pieces."""

from __future__ import annotations

from companion.errors import BadInput
from companion.games import game
from companion.labels import labels_of
from companion.learned import learned_games, save_set
from companion.messages import say
from companion.table.learning import asked_position, known_position, start_teaches, taught
from vision.errors import UnreadablePicture
from web import answers, inputs
from web.access import host, language
from web.drawing import board_svg
from web.safety import Refused

PATIENCE = 3.0  # seconds for a picture to come


def known(query: inputs.LearnQuery) -> answers.KnownSet:
    played = game(query.game)
    drawing = board_svg(played, None, asked_position(played), language=language())
    return {
        "learned": query.game in learned_games(host().settings),
        "drawing": drawing,
        "start": start_teaches(played),
    }


def learn_set(body: inputs.Learn) -> answers.Learned:
    """Learn from the camera's newest picture, or forget what was learned. The table reads with the result at once."""
    mine, played, tongue = host(), game(body.game), language()
    named = {"game": played.words[tongue].name}
    if body.forget:
        gone = save_set(mine.settings, body.game, None)
        mine.do(lambda: mine.camera.use_settings(mine.settings))
        said = say("FINDINGS", "learn.forgotten" if gone else "learn.nothing", named, tongue)
        return {"learned": False, "said": said, "squares": 0, "right_before": 0, "right_after": 0}
    if body.position == "played":
        if mine.game.game.id != body.game:
            raise Refused(409, "learn-other-game", game=body.game)
        visible = mine.game.position.visible()
    else:
        visible = asked_position(played) if body.position == "asked" else known_position(played)
    device = mine.camera.device
    frame = device.newest(0, PATIENCE) if device else None
    if frame is None:
        raise Refused(409, "no-camera")
    try:
        lesson = taught(frame.image, labels_of(played), visible, mine.settings)
    except UnreadablePicture as trouble:
        raise BadInput("", trouble.code, **trouble.params) from None
    save_set(mine.settings, body.game, lesson.learned)
    mine.do(lambda: mine.camera.use_settings(mine.settings))
    told = lesson.as_json()
    said = say("FINDINGS", lesson.code, {**named, **told}, tongue)
    counts = {key: told[key] for key in ("squares", "right_before", "right_after")}
    return {"learned": lesson.learned is not None, "said": said, **counts}  # type: ignore[typeddict-item]
