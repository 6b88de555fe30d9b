// How long and how often we call a network. Everything a rail does ends within one of these deadlines, with or without an
// answer. Tests pass shorter ones.

export type Limits = typeof LIMITS

export const LIMITS = {
  // From the first byte sent to the last byte received, attempts and access token included. A Bre-B payment ends within
  // 20 s, but accepting one is quick: after 10 s we query the payment by its reference instead.
  submitMs: 10_000,
  queryMs: 5_000,
  // A person waits for a lookup.
  lookUpMs: 5_000,
  // A page of a statement is long, and nobody waits for it.
  statementMs: 60_000,
  tokenMs: 5_000,
  connectMs: 3_000,
  // Per rail. The directory has its own, so that slow lookups cannot delay payments.
  connections: 64,
  // As many as the workers have payments in progress, so that no lookup waits behind the lookups of a bank that hangs.
  lookUpConnections: 512,
  // The first attempt and two more, only where repeating the call cannot move money.
  tries: 3,
  pauseFromMs: 50,
  pauseToMs: 250,
  // After this many calls in a row without an answer, we stop calling the network for a while.
  breakAfterFailures: 5,
  breakMs: 5_000,
  // A token is renewed before it expires. Otherwise calls in progress would be refused.
  tokenMarginMs: 60_000,
  // Real answers take a few hundred bytes.
  answerBytes: 64 * 1_024,
  // Lines that we ask for in one page of a statement, and the longest page that we read.
  statementLines: 2_000,
  statementBytes: 4 * 1_024 * 1_024,
}
