"""Uses the API through a client that was generated from its description: plays and saves a game, and
joins a club, where a token is made, used and revoked."""

import sys

from isrever_client import AuthenticatedClient, Client
from isrever_client.api.club import accept_invitation, add_token, invite, list_versions, log_in, remove_token, show_club
from isrever_client.api.games import begin_game, change_game, delete_game, list_games, show_game
from isrever_client.api.play import list_agents, play_move, show_position
from isrever_client.api.puzzles import answer_puzzle, choose_puzzle
from isrever_client.api.server import show_health
from isrever_client.api.text import read_text, write_text
from isrever_client.models import (
    AcceptRequest,
    AnswerRequest,
    BeginRequest,
    ChangeRequest,
    ColorWord,
    InviteRequest,
    Kind,
    LogInRequest,
    MoveRequest,
    Player,
    PositionRequest,
    ReadRequest,
    Role,
    RuleWord,
    State,
    Status,
    TokenRequest,
    WriteRequest,
    WriteRequestFormat,
)


PASSWORD = "correct horse battery"


def play(client: Client, url: str) -> None:
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


def join(url: str, code: str, name: str) -> Client:
    """Accepts an invitation, and logs in by the password that was chosen with it."""
    stranger = Client(base_url=url, raise_on_unexpected_status=True)
    made = accept_invitation.sync(code, client=stranger, body=AcceptRequest(name=name, password=PASSWORD))
    assert made.account.name == name
    newcomer = Client(base_url=url, raise_on_unexpected_status=True)
    visitor = log_in.sync(client=newcomer, body=LogInRequest(name=name, password=PASSWORD))
    assert visitor.account == made.account
    # Every change needs the code of the session's forms beside its cookie.
    cookies = dict(newcomer.get_httpx_client().cookies)
    headers = {"X-Form-Code": visitor.form}
    return Client(base_url=url, cookies=cookies, headers=headers, raise_on_unexpected_status=True)


def use_token(client: Client, url: str, invitation: str) -> None:
    administrator = join(url, invitation, "lecturer")
    invited = invite.sync(client=administrator, body=InviteRequest(role=Role.MEMBER, section="A", uses=1))
    member = join(url, invited.code, "student")
    made = add_token.sync(client=member, body=TokenRequest(label="laptop"))
    program = AuthenticatedClient(base_url=url, token=made.token, raise_on_unexpected_status=True)

    visitor = show_club.sync(client=program).visitor
    assert (visitor.account.name, visitor.account.role, visitor.form) == ("student", Role.MEMBER, None)
    assert list_versions.sync(client=program).versions == []
    # Without a token, and with one that was revoked, nobody is let in.
    assert list_versions.sync(client=client).error.code.value == "log-in"
    assert remove_token.sync_detailed("laptop", client=member).status_code == 204
    assert list_versions.sync(client=program).error.code.value == "log-in"
    assert list_versions.sync(client=member).versions == []


def main(url: str, invitation: str) -> None:
    client = Client(base_url=url, raise_on_unexpected_status=True)
    play(client, url)
    use_token(client, url, invitation)
    print("the generated client plays, saves, reads, and has a token of a club")


if __name__ == "__main__":
    main(*sys.argv[1:])
