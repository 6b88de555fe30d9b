// Open consoles, and what they are told: that something which their page shows has changed, and nothing else. They hear of it by the
// signals that workers hear of work by, so that a thousand consoles ask the database nothing while nothing happens. Whether an object
// has changed, and whether somebody may still look, is read for all of them together.

import { ROLE_SCOPES } from '../../core/team/role.ts'
import { isSessionAlive } from '../../core/team/user.ts'
import type { Needs } from '../../flows/context.ts'
import { MARKED_OBJECTS, MARKED_SETS, objectMarks, setMarks } from '../../store/shown-marks.ts'
import { rolesOfSessions } from '../../store/team/sessions.ts'
import { createTurns, type TurnLimits } from './turns.ts'
import { HEARD, NOUN_SCOPES, NOUNS, type Noun, type Watch } from './watches.ts'

export type LiveConsole = {
  readonly organizationId: string
  readonly sessionId: string
  readonly userId: string
  readonly watches: readonly Watch[]
  readonly tell: () => void
  // The session is over, or the role was taken away.
  readonly end: () => void
  // The server stops.
  readonly close: () => void
}

export type Live = {
  // `since`: when the page was made that the console shows. Undefined if too many are open.
  readonly open: (console: LiveConsole, since: number) => { readonly close: () => void } | undefined
  // A page that was told has been answered, after so long.
  readonly answered: (tookMs: number) => void
  readonly stop: () => void
}

export type LiveTimes = {
  // What happens together is told together.
  readonly soonMs: number
  readonly lookEveryMs: number
  // Some of what a signal leads to has none of its own, such as an answer of a network.
  readonly againMs: number
  readonly sweepMs: number
}

const TIMES: LiveTimes = { soonMs: 40, lookEveryMs: 400, againMs: 800, sweepMs: 10_000 }
// Most of an answer's time is the database's. So many tens of small pages a second are within it, and one or two of the largest.
const TURNS: TurnLimits = { msPerSecond: 250, burstMs: 250 }
const MAX_CONSOLES = { total: 5_000, perOrganization: 1_000, perPerson: 12 }
// A page that is older is told at once, to be sure. Clocks of several machines differ by less than the margin.
const REMEMBERED_MS = 60_000
const MARGIN_MS = 1_000
const MAX_REMEMBERED = 10_000

export function createLive(
  ctx: Needs<'db' | 'clock' | 'signals'>,
  times: LiveTimes = TIMES,
  turnLimits: TurnLimits = TURNS,
): Live {
  const consoles = new Map<string, Set<LiveConsole>>()
  const perPerson = new Map<string, number>()
  const turns = createTurns(turnLimits)
  const heard = rememberSignals(ctx.clock.wallClock)
  const marks = new Map<string, string | null>()
  let total = 0
  // The nouns that may have changed, by organization. With none, only objects are looked at.
  let pending = new Map<string, Set<Noun>>()
  let timer: NodeJS.Timeout | undefined
  let timerAtMs = 0
  let isLooking = false
  let lastLookMs = Number.NEGATIVE_INFINITY
  let sweeping: NodeJS.Timeout | undefined

  ctx.signals.onWork((kind, organizationId) => {
    const nouns = HEARD[kind]
    if (nouns === undefined) return
    heard.add(organizationId)
    if (organizationId !== undefined) noteChange(organizationId, nouns)
    else for (const watched of consoles.keys()) noteChange(watched, nouns)
  })

  const noteChange = (organizationId: string, nouns: readonly Noun[]): void => {
    if (!consoles.has(organizationId)) return
    const noted = pending.get(organizationId) ?? new Set()
    for (const noun of nouns) noted.add(noun)
    pending.set(organizationId, noted)
    schedule(Math.max(times.soonMs, lastLookMs + times.lookEveryMs - performance.now()))
  }
  // The sooner of two counts.
  const schedule = (inMs: number): void => {
    const atMs = performance.now() + inMs
    if (isLooking || (timer !== undefined && timerAtMs <= atMs)) return
    clearTimeout(timer)
    timerAtMs = atMs
    timer = setTimeout(() => void look(), inMs).unref()
  }

  const look = async (): Promise<void> => {
    lastLookMs = performance.now()
    timer = undefined
    isLooking = true
    const noted = pending
    pending = new Map()
    const isDone = await lookAt(noted).then(
      () => true,
      () => false,
    )
    isLooking = false
    // The database is away. Whatever is missed meanwhile is told once it is back.
    if (!isDone) for (const organizationId of consoles.keys()) pending.set(organizationId, new Set(NOUNS))
    if ([...pending.values()].some(({ size }) => size > 0)) return schedule(times.lookEveryMs)
    for (const [organizationId, { size }] of noted)
      if (size > 0 && consoles.has(organizationId)) pending.set(organizationId, new Set())
    if (pending.size > 0) schedule(times.againMs)
  }

  const lookAt = async (noted: ReadonlyMap<string, ReadonlySet<Noun>>): Promise<void> => {
    const open = [...noted.keys()].flatMap((organizationId) => [...(consoles.get(organizationId) ?? [])])
    const changed = await changedMarks(open)
    const concerned = open.filter(({ organizationId, watches }) =>
      watches.some(
        ({ noun, id }) =>
          changed.has(markKey(organizationId, noun, id)) ||
          (id === undefined && noted.get(organizationId)?.has(noun) === true),
      ),
    )
    for (const { organizationId, tell } of await stillAllowed(concerned)) turns.add(organizationId, tell)
  }

  // Compared with the look before. Of what nobody has looked at yet, nothing is known: it counts as changed.
  const changedMarks = async (open: readonly LiveConsole[]): Promise<Set<string>> => {
    const changed = new Set<string>()
    const compare = (keys: readonly string[], found: readonly (string | null)[]): void => {
      for (const [index, key] of keys.entries()) {
        const mark = found[index] ?? null
        if (marks.has(key) && marks.get(key) === mark) continue
        marks.set(key, mark)
        changed.add(key)
      }
    }
    for (const kind of MARKED_OBJECTS) {
      const watched = open.flatMap(({ organizationId, watches }) =>
        watches.flatMap(({ noun, id }) =>
          noun === kind && id !== undefined ? [{ organizationId, id }] : [],
        ),
      )
      const objects = [...new Map(watched.map((one) => [markKey(one.organizationId, kind, one.id), one]))]
      if (objects.length > 0)
        compare(
          objects.map(([key]) => key),
          await objectMarks(
            ctx.db,
            kind,
            objects.map(([, address]) => address),
          ),
        )
    }
    for (const set of MARKED_SETS) {
      const watching = open.filter(({ watches }) => watches.some(({ noun }) => noun === set))
      const organizationIds = [...new Set(watching.map(({ organizationId }) => organizationId))]
      if (organizationIds.length > 0)
        compare(
          organizationIds.map((organizationId) => markKey(organizationId, set)),
          await setMarks(ctx.db, set, organizationIds),
        )
    }
    return changed
  }

  // Ends the others.
  const stillAllowed = async (asked: readonly LiveConsole[]): Promise<LiveConsole[]> => {
    if (asked.length === 0) return []
    const sessions = await rolesOfSessions(ctx.db, asked)
    const now = ctx.clock.wallClock()
    return asked.filter((console, index) => {
      const session = sessions[index]
      const isAllowed =
        session !== undefined &&
        isSessionAlive(session, now) &&
        console.watches.every(({ noun }) => ROLE_SCOPES[session.role].includes(NOUN_SCOPES[noun]))
      if (!isAllowed) console.end()
      return isAllowed
    })
  }

  const sweep = async (): Promise<void> => {
    const open = [...consoles.values()].flatMap((ofOne) => [...ofOne])
    await stillAllowed(open).catch(() => {})
    const bySweep = open.filter(({ watches }) => watches.some(({ noun }) => isSet(noun)))
    for (const { organizationId } of bySweep) noteChange(organizationId, [])
  }

  const isFull = ({ organizationId, userId }: LiveConsole): boolean =>
    total >= MAX_CONSOLES.total ||
    (consoles.get(organizationId)?.size ?? 0) >= MAX_CONSOLES.perOrganization ||
    (perPerson.get(userId) ?? 0) >= MAX_CONSOLES.perPerson

  return {
    open: (console, since) => {
      if (isFull(console)) return undefined
      const { organizationId, userId, tell } = console
      consoles.set(organizationId, (consoles.get(organizationId) ?? new Set()).add(console))
      perPerson.set(userId, (perPerson.get(userId) ?? 0) + 1)
      total += 1
      sweeping ??= setInterval(sweep, times.sweepMs).unref()
      if (heard.since(organizationId, since)) turns.add(organizationId, tell)
      let isClosed = false
      return {
        close: () => {
          if (isClosed) return
          isClosed = true
          turns.remove(organizationId, tell)
          const others = consoles.get(organizationId)
          others?.delete(console)
          if (others?.size === 0) consoles.delete(organizationId)
          const left = (perPerson.get(userId) ?? 1) - 1
          if (left > 0) perPerson.set(userId, left)
          else perPerson.delete(userId)
          total -= 1
          forgetMarks(marks, console, others)
          if (total > 0) return
          clearInterval(sweeping)
          sweeping = undefined
        },
      }
    },
    answered: turns.answered,
    stop: () => {
      for (const ofOne of consoles.values()) for (const { close } of ofOne) close()
      clearTimeout(timer)
      clearInterval(sweeping)
      turns.stop()
    },
  }
}

function isSet(noun: Noun): boolean {
  return (MARKED_SETS as readonly Noun[]).includes(noun)
}

function markKey(organizationId: string, noun: Noun, id = ''): string {
  return `${organizationId} ${noun} ${id}`
}

// A mark that nobody keeps up to date says nothing.
function forgetMarks(
  marks: Map<string, unknown>,
  { organizationId, watches }: LiveConsole,
  others: ReadonlySet<LiveConsole> | undefined,
): void {
  const kept = new Set(
    [...(others ?? [])].flatMap((other) =>
      other.watches.map(({ noun, id }) => markKey(organizationId, noun, id)),
    ),
  )
  for (const { noun, id } of watches) {
    const key = markKey(organizationId, noun, id)
    if (!kept.has(key)) marks.delete(key)
  }
}

// A page may have been made before its console listens. So it is known for a while who had signals when.
function rememberSignals(now: () => number) {
  let knownFrom = now()
  const last = new Map<string | undefined, number>()
  return {
    add: (organizationId: string | undefined): void => {
      last.delete(organizationId)
      last.set(organizationId, now())
      if (last.size <= MAX_REMEMBERED) return
      const [[oldest, at]] = last as unknown as [[string | undefined, number]]
      last.delete(oldest)
      knownFrom = at
    },
    since: (organizationId: string, since: number): boolean => {
      const from = since - MARGIN_MS
      if (!(from > knownFrom && from > now() - REMEMBERED_MS)) return true
      return (last.get(organizationId) ?? 0) >= from || (last.get(undefined) ?? 0) >= from
    },
  }
}
