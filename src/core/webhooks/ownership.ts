// The proof that whoever registered an address also receives there. We send a few requests at once, some signed with the
// endpoint's secret and some with a secret of nobody, and only a receiver that holds the secret can tell them apart: it accepts
// the ones and refuses the others. Every receiver that verifies signatures passes without further code. A stranger's server,
// which answers all alike, does not; nor does a receiver that forgot to verify.

import type { AttemptResult } from './delivery.ts'

// A server that answers at random passes once in twenty times.
const PROBES = 6
const GENUINE = 3

// Which of the requests are signed with the endpoint's secret. `random` lies in [0, 1).
export function drawProbes(random: () => number): boolean[] {
  const left = Array.from({ length: PROBES }, (_, at) => at < GENUINE)
  return Array.from({ length: PROBES }, () => left.splice(Math.floor(random() * left.length), 1)[0] === true)
}

// Why the answers prove nothing, as a sentence; undefined if they prove that the receiver knows the secret.
export function ownershipProblem(
  probes: readonly boolean[],
  results: readonly AttemptResult[],
): string | undefined {
  const problems = results.map((result, at) => (probes[at] ? genuineProblem(result) : forgedProblem(result)))
  return problems.find((problem) => problem !== undefined)
}

function genuineProblem({ delivered, status, failure }: AttemptResult): string | undefined {
  if (delivered) return undefined
  if (status === null) return `It did not answer a request with a right signature (${failure}).`
  return `It answered ${status} to a request with a right signature. Does it know this endpoint's secret?`
}

function forgedProblem({ status, failure }: AttemptResult): string | undefined {
  if (status !== null && status >= 400 && status < 500) return undefined
  if (status === null) return `It did not answer a request with a wrong signature (${failure}).`
  return `It answered ${status} to a request with a wrong signature. It must verify signatures, and answer 400 to a wrong one.`
}
