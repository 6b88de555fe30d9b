// recaudo trigger: makes an event happen on staging by doing what leads to it, and waits for the event.

import type { Recaudo, RecaudoEvent } from '@recaudo/sdk'
import { openClient } from './client.ts'
import { align } from './columns.ts'
import type { Call, Shown } from './command.ts'
import { environmentOf } from './environment.ts'
import { objectIdOf } from './events.ts'
import { EXIT, Failure, usageFailure } from './failure.ts'
import { readCount } from './listing.ts'
import { endOfLog } from './log-position.ts'
import { readCents } from './money.ts'
import type { ScenarioContext } from './scenario-context.ts'
import type { Ending } from './scenario-ending.ts'
import {
  DOCUMENT_NAMES,
  DOCUMENT_PREFIX,
  DOCUMENTS,
  type DocumentNumber,
  EVENT_NAMES,
} from './scenario-names.ts'
import { documentScenario, EVENT_SCENARIOS } from './scenarios.ts'
import { closestWord } from './suggestion.ts'
import { dim, note } from './terminal.ts'

const TIMEOUT_SECONDS = 60
const MAX_TIMEOUT_SECONDS = 3_600
const RETRY_INTERVAL_MS = 200

export async function trigger({ argument, flags, isJson }: Call): Promise<Shown> {
  if (flags.list === true) return scenarioList()
  const name = readScenario(argument)
  const rail = readRail(flags.rail)
  const amountInCents = readAmount(flags['amount-in-cents'])
  const timeoutMs = (readCount(flags, 'timeout', 1, MAX_TIMEOUT_SECONDS) ?? TIMEOUT_SECONDS) * 1_000
  const { recaudo, signIn } = await openClient()
  const after = await endOfLog(recaudo)
  // Anywhere else this would make real payments.
  if ((await environmentOf(signIn.baseUrl)) !== 'staging')
    throw new Failure(`${signIn.baseUrl} is not staging: only there can events be made to happen.`)

  const did: string[] = []
  const events: RecaudoEvent[] = []
  const deadlineMs = performance.now() + timeoutMs
  const context: ScenarioContext = {
    recaudo,
    baseUrl: signIn.baseUrl,
    rail,
    isPayout: flags.payout === true,
    amountInCents,
    report: (text) => {
      did.push(text)
      if (!isJson) note(dim(text))
    },
    waitForEvent: async (objectId, names, withinMs = timeoutMs) => {
      const leftMs = Math.max(1, Math.min(withinMs, deadlineMs - performance.now()))
      const event = await findEvent(recaudo, after, objectId, names, leftMs)
      if (event !== undefined && !events.some(({ id }) => id === event.id)) {
        events.push(event)
        context.report(`${event.event}, event ${event.sequence}, ${event.id}`)
      }
      return event
    },
    retryWhileRefused: async (code, call) => {
      for (;;) {
        try {
          return await call()
        } catch (error) {
          if ((error as { code?: string }).code !== code || performance.now() > deadlineMs) throw error
        }
        await new Promise((resolve) => setTimeout(resolve, RETRY_INTERVAL_MS))
      }
    },
  }
  const ending = await runScenario(name, context)
  return {
    json: { scenario: name, did, events, object: ending.shown.json, done: ending.missing === undefined },
    text: () =>
      `${ending.shown.text()}${ending.missing === undefined ? '' : `\n\n${ending.missing} did not come within ${timeoutMs / 1_000} s. ${ending.advice}`}`,
    ...(ending.missing !== undefined && { exitCode: EXIT.failed }),
  }
}

function runScenario(name: string, context: ScenarioContext): Promise<Ending> {
  if (name.startsWith(DOCUMENT_PREFIX))
    return documentScenario(name.slice(DOCUMENT_PREFIX.length) as DocumentNumber, context)
  return EVENT_SCENARIOS[name as keyof typeof EVENT_SCENARIOS](context)
}

async function findEvent(
  recaudo: Recaudo,
  after: number,
  objectId: string,
  names: readonly string[],
  withinMs: number,
): Promise<RecaudoEvent | undefined> {
  const signal = AbortSignal.timeout(Math.ceil(withinMs))
  try {
    for await (const event of recaudo.events.follow({ after, signal }))
      if (names.includes(event.event) && objectIdOf(event) === objectId) return event
  } catch (error) {
    if (!signal.aborted) throw error
  }
  return undefined
}

function scenarioList(): Shown {
  const all = [
    ...EVENT_NAMES.map((name) => ({ name, help: 'makes this event happen' })),
    ...Object.entries(DOCUMENTS).map(([number, help]) => ({ name: DOCUMENT_PREFIX + number, help })),
  ]
  return { json: { data: all, hasMore: false }, text: () => align(all.map(({ name, help }) => [name, help])) }
}

function readScenario(name: string): string {
  const names = [...EVENT_NAMES, ...DOCUMENT_NAMES]
  if (names.includes(name)) return name
  const guess = closestWord(name, names)
  throw usageFailure(
    `There is no scenario "${name}".${guess === undefined ? '' : ` Did you mean ${guess}?`} \`recaudo trigger --list\` shows them.`,
  )
}

function readRail(rail: unknown): 'BRE_B' | 'PSE' {
  if (rail === undefined || rail === 'BRE_B') return 'BRE_B'
  if (rail === 'PSE') return 'PSE'
  throw usageFailure(`--rail must be BRE_B or PSE, not ${JSON.stringify(rail)}.`)
}

function readAmount(text: unknown): number | undefined {
  if (typeof text !== 'string') return undefined
  const cents = readCents(text)
  if (cents === undefined) throw usageFailure('--amount-in-cents must be a whole number of cents.')
  return cents
}
