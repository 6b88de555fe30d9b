// How long and how often a network is asked. Everything a rail does ends within one of these deadlines, with or without an
// answer. Tests hand in shorter ones.

export type Limits = typeof LIMITS

export const LIMITS = {
  // From the first byte out to the last byte in, tries and access token included. A Bre-B payment ends within 20 s, but
  // being handed one is quick: past 10 s the payment is asked for by its reference instead.
  submitMs: 10_000,
  queryMs: 5_000,
  // A person waits for a lookup.
  lookUpMs: 5_000,
  tokenMs: 5_000,
  connectMs: 3_000,
  // Per rail; the directory has its own, so that slow lookups cannot hold up payments.
  connections: 64,
  // As many as workers have payments under way: a lookup never waits behind those of a bank that hangs.
  lookUpConnections: 512,
  // The first try and two more, and only where asking again cannot move money.
  tries: 3,
  pauseFromMs: 50,
  pauseToMs: 250,
  // So many calls in a row without any answer, and the network is left alone for a while.
  breakAfterFailures: 5,
  breakMs: 5_000,
  // A token is renewed before it runs out, or calls under way would be refused.
  tokenMarginMs: 60_000,
  // Real answers take some hundred bytes.
  answerBytes: 64 * 1_024,
}
