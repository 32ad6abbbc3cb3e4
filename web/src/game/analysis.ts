// An analysis: a copy of a game in which a person moves for both sides. It has a link, and changes
// no game that is being played.

import type { Client } from "../api/client";
import { Analyzer, type Effort } from "./analyzer";
import type { Side } from "./clock";
import { type Game, read, write } from "./notation";
import { Retry } from "./retry";
import { Review } from "./review";
import { Session } from "./session";

/** What is known of a game beside its moves. */
export interface Origin {
  /** The players: people's names, or the specs of agents. */
  readonly names: Partial<Record<Side, string>>;
  /** The game of this browser that it was copied from. */
  readonly id?: string | null;
}

/** The longest name in a link. */
const LONGEST_NAME = 64;

export class Analysis {
  readonly session: Session;
  readonly analyzer: Analyzer;
  readonly review: Review;
  readonly retry: Retry;

  constructor(
    client: Client,
    readonly origin: Origin,
    failed: (error: unknown) => void,
    effort?: () => Effort,
  ) {
    this.session = new Session(client);
    this.analyzer = new Analyzer(client, this.session, failed, effort);
    this.review = new Review(client, this.session, failed);
    this.retry = new Retry(client, this.session, this.review, failed);
    this.session.failed.on(failed);
  }

  /** The route that shows it as it is now. */
  get route(): string {
    return routeTo(this.session.game, this.origin);
  }
}

/** The route to an analysis of a game. */
export function routeTo(game: Game, { names, id }: Origin): string {
  const more = new URLSearchParams();
  if (names.black) more.set("black", names.black);
  if (names.white) more.set("white", names.white);
  if (id) more.set("game", id);
  return `analyse/${write(game)}${more.size > 0 ? `?${more}` : ""}`;
}

/** The game and what is known of it in a route, behind `analyse/`; null if it holds no game. */
export function readRoute(text: string): { game: Game; origin: Origin; isReviewed: boolean } | null {
  const [moves = "", ...rest] = text.split("?");
  const more = new URLSearchParams(rest.join("?"));
  let game: Game | null = null;
  try {
    game = read(decodeURIComponent(moves));
  } catch {
    // A percent sign that stands for nothing.
  }
  if (!game) return null;
  const name = (side: Side): string => (more.get(side) ?? "").slice(0, LONGEST_NAME);
  const names = { ...(name("black") && { black: name("black") }), ...(name("white") && { white: name("white") }) };
  return { game, origin: { names, id: more.get("game") }, isReviewed: more.has("review") };
}
