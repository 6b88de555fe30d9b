// Some roles see people masked until they ask. Asking is written down, and shows one object's people to one session for a few
// minutes: the address holds a token that says so, and nobody else can use it.

import { recordRefused } from '../../api/audit/refused-acts.ts'
import { type Html, html } from '../../core/html.ts'
import { type Instant, MINUTE_MS } from '../../core/instant.ts'
import { refuse } from '../../core/refusal.ts'
import { openToken, sealToken } from '../../core/seal.ts'
import { PEOPLE_VIEW } from '../../core/team/role.ts'
import { recordShownPerson } from '../../flows/people/show.ts'
import { clockText } from '../format.ts'
import { icon } from '../icons.ts'
import type { OwnRoute } from '../route.ts'
import { publicAddressOf } from '../setting.ts'
import type { Visit } from '../visit.ts'
import { OBJECT_WORDS } from './words.ts'

const SHOWN_MS = 5 * MINUTE_MS

// When they are hidden again. Null: the role sees them masked, or in any case.
export function shownUntil(visit: Visit, objectId: string): Instant | null {
  const { shown } = visit.request.query as { shown?: unknown }
  if (typeof shown !== 'string' || PEOPLE_VIEW[visit.role] !== 'on request') return null
  const payload = openToken(visit.ctx.settings.keys.cursor, shown, contextOf(visit, objectId))
  if (payload?.length !== 8) return null
  const until = Number(payload.readBigUInt64BE())
  return until > visit.ctx.clock.wallClock() ? until : null
}

function contextOf({ signedIn, organization }: Visit, objectId: string): string {
  return `shown person ${signedIn.session.sessionId} ${organization.organizationId} ${objectId}`
}

function tokenOf(visit: Visit, objectId: string): string {
  const until = Buffer.alloc(8)
  until.writeBigUInt64BE(BigInt(visit.ctx.clock.wallClock() + SHOWN_MS))
  return sealToken(visit.ctx.settings.keys.cursor, until, contextOf(visit, objectId))
}

// Beside a person's facts: how to see them, or for how long they are seen.
export function shownControl(visit: Visit, path: string, objectId: string): Html | false {
  const words = OBJECT_WORDS[visit.language]
  const until = shownUntil(visit, objectId)
  switch (PEOPLE_VIEW[visit.role]) {
    case 'shown':
      return false
    case 'masked':
      return html`<p class="hint">${words.maskedHint}</p>`
    case 'on request':
      return until === null
        ? html`<form method="post" action="${visit.home}${path}/show-person" data-once><button class="button small">${icon('eye')}${words.showPerson}</button><p class="hint">${words.showPersonHint}</p></form>`
        : html`<p class="hint">${words.shownUntil(clockText(until, visit.language))}</p>`
  }
}

// `idOf` reads the object's id from the address, if there is such an object.
export function shownPersonRoute(
  path: string,
  scope: OwnRoute['scope'],
  idOf: (visit: Visit) => Promise<string | undefined>,
): OwnRoute {
  return {
    method: 'POST',
    path: `${path}/show-person`,
    scope,
    own: 'shown person',
    act: async (visit) => {
      const objectId = await idOf(visit)
      if (objectId === undefined) return undefined
      const address = publicAddressOf(visit, visit.request).replace(/\/show-person(?:\?.*)?$/, '')
      const view = PEOPLE_VIEW[visit.role]
      if (view === 'masked') await recordNotShown(visit, objectId)
      if (view !== 'on request') return { seeOther: address }
      await recordShownPerson(visit.ctx, visit.organization.organizationId, objectId)
      return { seeOther: `${address}?shown=${encodeURIComponent(tokenOf(visit, objectId))}` }
    },
  }
}

// That somebody wanted to see whom they may not is to be known as much as that somebody did.
async function recordNotShown(visit: Visit, objectId: string): Promise<void> {
  const { ctx, organization } = visit
  const asked = { act: 'customer.show', actor: ctx.actor, params: { objectId } } as const
  const refused = { ...asked, organizationId: organization.organizationId }
  await recordRefused(ctx, refused, refuse('INSUFFICIENT_SCOPE', 'The role sees people masked.'))
}
