// Deliberate faults between the networks and us. The same seed gives the same faults: every decision is drawn from the seed,
// the payment's reference and the step it has reached, never from the time or the order of arrival. So a run can be repeated.

import { createHash } from 'node:crypto'

/** Probabilities from 0 to 1, and how long things then take. */
export type FaultPlan = {
  /** An answer is delayed by up to `latencyMs` of real time. */
  latency: number
  latencyMs: number
  /** 503, and nothing was accepted. */
  unavailable: number
  /** Accepted, and then 500. */
  errorAfterAcceptance: number
  /** Accepted, and then the connection is reset. */
  droppedAnswer: number
  /** Accepted, and then no answer at all. */
  timeout: number
  /** Accepted, and the answer breaks off in the middle of the JSON. */
  malformedAnswer: number
  /** Accepted, and the answer does not say so: a time-out code on Bre-B, FAILED on PSE. */
  unclearAnswer: number
  /** The directory of keys answers 503, while payments go on. */
  directoryAway: number
  /** The first queries return 404 although the payment exists. */
  notFoundThenFound: number
  noticeLost: number
  noticeDoubled: number
  /** Delayed by `lateFactor` times the delay. */
  noticeLate: number
  lateFactor: number
  /** Delayed a little, so that others overtake it. */
  noticeReordered: number
  /** Money moved, but a refusal is reported first. */
  noticeContradicted: number
  /** A day's statement says that it is not complete. */
  statementLate: number
  /** A line of a statement is missing, listed twice, with another amount, or dated a day earlier. */
  lineMissing: number
  lineDoubled: number
  lineOtherAmount: number
  lineOtherDay: number
  /** A line names a reference or a currency that nobody knows. */
  lineUnknownReference: number
  lineUnknownCurrency: number
  /** The lines of a statement come in another order. */
  statementReordered: number
  /** A page of a statement ends early. */
  pageCut: number
  /** The most lines in a page. */
  pageLines: number
}

export const NO_FAULTS: FaultPlan = {
  latency: 0,
  latencyMs: 200,
  unavailable: 0,
  errorAfterAcceptance: 0,
  droppedAnswer: 0,
  timeout: 0,
  malformedAnswer: 0,
  unclearAnswer: 0,
  directoryAway: 0,
  notFoundThenFound: 0,
  noticeLost: 0,
  noticeDoubled: 0,
  noticeLate: 0,
  lateFactor: 20,
  noticeReordered: 0,
  noticeContradicted: 0,
  statementLate: 0,
  lineMissing: 0,
  lineDoubled: 0,
  lineOtherAmount: 0,
  lineOtherDay: 0,
  lineUnknownReference: 0,
  lineUnknownCurrency: 0,
  statementReordered: 0,
  pageCut: 0,
  pageLines: 5_000,
}

/** A bad day: about three calls in ten go wrong, and more than half of the notices. */
export const STORMY: FaultPlan = {
  ...NO_FAULTS,
  latency: 0.2,
  unavailable: 0.06,
  errorAfterAcceptance: 0.06,
  droppedAnswer: 0.06,
  timeout: 0.02,
  malformedAnswer: 0.04,
  unclearAnswer: 0.04,
  notFoundThenFound: 0.1,
  noticeLost: 0.1,
  noticeDoubled: 0.2,
  noticeLate: 0.1,
  noticeReordered: 0.2,
  noticeContradicted: 0.05,
}

export const PRESETS = { none: NO_FAULTS, stormy: STORMY } as const

export const REQUEST_FAULTS = [
  'unavailable',
  'errorAfterAcceptance',
  'droppedAnswer',
  'timeout',
  'malformedAnswer',
  'unclearAnswer',
] as const
export type RequestFault = (typeof REQUEST_FAULTS)[number]

// The network has caught up after this many queries.
const NOT_FOUND_QUERIES = 2

export type Faults = ReturnType<typeof createFaults>

export function createFaults(seed: number, plan: FaultPlan) {
  let current = { seed, plan }
  const hits: Record<string, number> = {}

  const number = (reference: string, step: string) => drawnNumber(current.seed, reference, step)
  const strikes = (fault: keyof FaultPlan, reference: string, step: string): boolean => {
    const occurs = number(reference, `${step} ${fault}`) < current.plan[fault]
    if (occurs) hits[fault] = (hits[fault] ?? 0) + 1
    return occurs
  }

  return {
    get plan() {
      return current.plan
    },
    get seed() {
      return current.seed
    },
    /** How often each fault occurred: a run without any proves nothing. */
    hits: (): Readonly<Record<string, number>> => ({ ...hits }),
    change: (newSeed: number, newPlan: FaultPlan) => {
      current = { seed: newSeed, plan: newPlan }
    },
    areOff: () =>
      Object.entries(current.plan).every(([name, value]) => name in NON_PROBABILITIES || value === 0),
    /** From 0 up to, but not including, 1. */
    number,
    strikes,
    /** At most one fault per request. */
    ofRequest: (reference: string, step: string): RequestFault | undefined => {
      let chance = number(reference, `${step} request`)
      for (const fault of REQUEST_FAULTS) {
        chance -= current.plan[fault]
        if (chance >= 0) continue
        hits[fault] = (hits[fault] ?? 0) + 1
        return fault
      }
      return undefined
    },
    hidesFromQuery: (reference: string, nthQuery: number): boolean =>
      nthQuery <= NOT_FOUND_QUERIES && strikes('notFoundThenFound', reference, 'query'),
  }
}

/** Undefined if the value is not a fault plan. A fault that is left out does not occur. */
export function readFaultPlan(value: unknown): FaultPlan | undefined {
  if (typeof value === 'string')
    return Object.hasOwn(PRESETS, value) ? PRESETS[value as keyof typeof PRESETS] : undefined
  if (typeof value !== 'object' || value === null) return undefined
  const plan: Record<string, number> = { ...NO_FAULTS }
  for (const [name, given] of Object.entries(value)) {
    if (!Object.hasOwn(NO_FAULTS, name)) return undefined
    const max = NON_PROBABILITIES[name] ?? 1
    if (typeof given !== 'number' || !(given >= 0 && given <= max)) return undefined
    plan[name] = given
  }
  return plan as FaultPlan
}

// Members that are not probabilities, with their maximum.
const NON_PROBABILITIES: Readonly<Record<string, number>> = {
  latencyMs: 60_000,
  lateFactor: 10_000,
  pageLines: 10_000,
}

/** A stable id: the same seed and parts always give the same hex digits. */
export function drawnHex(seed: number, ...parts: readonly string[]): string {
  return createHash('sha256')
    .update([seed, ...parts].join('\n'))
    .digest('hex')
}

function drawnNumber(seed: number, ...parts: readonly string[]): number {
  // 48 bits: exact in a double.
  return Number.parseInt(drawnHex(seed, ...parts).slice(0, 12), 16) / 2 ** 48
}
