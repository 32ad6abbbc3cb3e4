"""Plays and saves a game through a client that was generated from the API's description."""

import sys

from isrever_client import AuthenticatedClient, Client
from isrever_client.api.games import begin_game, change_game, delete_game, list_games, show_game
from isrever_client.api.play import list_agents, play_move, show_position
from isrever_client.api.puzzles import answer_puzzle, choose_puzzle
from isrever_client.api.server import show_health
from isrever_client.api.text import read_text, write_text
from isrever_client.models import (
    AnswerRequest,
    BeginRequest,
    ChangeRequest,
    ColorWord,
    Kind,
    MoveRequest,
    Player,
    PositionRequest,
    ReadRequest,
    RuleWord,
    State,
    Status,
    WriteRequest,
    WriteRequestFormat,
)


def main(url: str) -> None:
    client = Client(base_url=url, raise_on_unexpected_status=True)
    assert show_health.sync(client=client).status == Status.OK
    agents = list_agents.sync(client=client)
    assert "greedy" in [agent.name for agent in agents.agents] and len(agents.levels) == 20

    # A game of two agents on 4×4, move by move.
    moves: list[str] = []
    while True:
        position = show_position.sync(client=client, body=PositionRequest(size=4, moves=moves))
        if position.over:
            break
        asked = MoveRequest(agent="greedy", rule=RuleWord.REVERSED, size=4, moves=moves, seed=1)
        moves = play_move.sync(client=client, body=asked).position.moves
    assert position.result.score.black == -position.result.score.white

    # It is saved in two steps, and cannot be changed after its end.
    player = Player(kind=Kind.AGENT, name="greedy")
    begun = begin_game.sync(client=client, body=BeginRequest(player, player, size=4, moves=moves[:2]))
    owner = AuthenticatedClient(base_url=url, token=begun.token, raise_on_unexpected_status=True)
    saved = change_game.sync(begun.id, client=owner, body=ChangeRequest(moves=moves))
    assert (saved.state, saved.end.winner) == (State.FINISHED, position.result.winner)
    assert saved.end.winner in (ColorWord.BLACK, ColorWord.WHITE, None)
    late = change_game.sync(begun.id, client=owner, body=ChangeRequest(moves=[]))
    assert late.error.code.value == "game-over", late
    assert show_game.sync(begun.id, client=client).moves == moves
    page = list_games.sync(client=client, size=4, limit=1)
    assert page.games[0].id == begun.id
    assert delete_game.sync_detailed(begun.id, client=owner).status_code == 204

    # Texts and puzzles.
    text = write_text.sync(client=client, body=WriteRequest(format_=WriteRequestFormat.GGF, moves=["f5"]))
    assert read_text.sync(client=client, body=ReadRequest(text=text.text)).games[0].moves == ["f5"]
    puzzle = choose_puzzle.sync(client=client, size=4, level=1)
    square = puzzle.position.legal[0].square
    answer = answer_puzzle.sync(puzzle.id, client=client, body=AnswerRequest(move=square))
    assert answer.correct == (answer.best == square)
    print("the generated client plays, saves and reads")


if __name__ == "__main__":
    main(sys.argv[1])
