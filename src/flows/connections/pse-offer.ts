// What a payer's page offers and asks for PSE over a connection: the banks that the provider has, and the terms that the payer must
// accept. Without its banks a provider is offered all; without its terms nothing may begin.

import { createHash } from 'node:crypto'
import { PROVIDER_DESCRIPTIONS, payinAbilities } from '../../core/connections/provider.ts'
import { pseBanks } from '../../core/directory/pse-bank.ts'
import { HOUR_MS, type Instant, MINUTE_MS } from '../../core/instant.ts'
import type { PaymentConnection } from '../../core/payins/payin.ts'
import type { ProviderBank, RailAnswer, Terms } from '../../rails/rail.ts'
import type { Needs } from '../context.ts'
import { railsOf } from '../rails-of.ts'
import { keptAnswers } from './kept-answers.ts'

export type ShownTerms = {
  // As its customers know it.
  readonly provider: string
  readonly links: readonly Terms[]
  // Of these links and their connection. A form sends it back, which says what its payer was shown.
  readonly digest: string
}

export type PseOffer = {
  // The numbers of the provider's banks in PSE. Null: all banks are offered.
  readonly bankNumbers: ReadonlySet<string> | null
  // Null: there is nothing to accept. away: there is, and the provider does not say what.
  readonly terms: ShownTerms | 'away' | null
}

export const WHOLE_OFFER: PseOffer = { bankNumbers: null, terms: null }

// `newTermsSince`: then the provider said that terms which a payer had accepted are not its own any more.
export type PseOfferOf = (
  organizationId: string,
  connection: PaymentConnection | null,
  newTermsSince?: Instant | null,
) => Promise<PseOffer>

const TERMS_LAST_MS = 5 * MINUTE_MS
const BANKS_LAST_MS = HOUR_MS

export function createPseOffers(ctx: Needs<'clock' | 'networks' | 'settings'>): PseOfferOf {
  const askBanks = keptAnswers<readonly ProviderBank[]>(ctx, BANKS_LAST_MS)
  const askTerms = keptAnswers<readonly Terms[]>(ctx, TERMS_LAST_MS)
  return async (organizationId, connection, newTermsSince = null) => {
    if (connection === null) return WHOLE_OFFER
    const { hasBanks, hasTerms } = payinAbilities(connection.provider, 'PSE')
    const key = `${organizationId} ${connection.connectionId}`
    const rails = () => railsOf(ctx, organizationId, connection)
    const [banks, links] = await Promise.all([
      hasBanks ? askBanks(key, async () => ask((await rails())?.banks)) : undefined,
      hasTerms
        ? askTerms(key, async () => readable(await ask((await rails())?.terms)), newTermsSince)
        : undefined,
    ])
    return {
      bankNumbers: banks === undefined ? null : numbersOf(ctx, banks),
      terms: hasTerms ? shown(connection, links) : null,
    }
  }
}

type Question<Value> = (() => Promise<RailAnswer<Value, never>>) | null | undefined

async function ask<Value>(question: Question<Value>): Promise<RailAnswer<Value, never>> {
  return question?.() ?? { outcome: 'unknown', kind: 'unavailable', why: 'the connection has no answer' }
}

// A list without a single bank that we know says nothing about those we offer. In tests a provider has banks of its own.
function numbersOf(ctx: Needs<'settings'>, banks: readonly ProviderBank[]): ReadonlySet<string> | null {
  const numbers = new Set(banks.map(({ code }) => code))
  const isReadable = pseBanks(false).some(({ achCode }) => achCode !== null && numbers.has(achCode))
  return isReadable || ctx.settings.environment === 'staging' ? numbers : null
}

// Both texts, each at an address that a payer may be sent to. Anything else is no answer.
function readable(answer: RailAnswer<readonly Terms[], never>): RailAnswer<readonly Terms[], never> {
  if (answer.outcome !== 'accepted') return answer
  const links = answer.value
  const isWhole = KINDS.every((kind) => links.some((link) => link.kind === kind))
  return isWhole && links.every(({ url }) => /^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    ? answer
    : { outcome: 'unknown', kind: 'unreadable', why: 'these are not the terms' }
}

const KINDS: readonly Terms['kind'][] = ['conditions', 'personal-data']

function shown(
  { connectionId, provider }: PaymentConnection,
  links: readonly Terms[] | undefined,
): ShownTerms | 'away' {
  if (links === undefined) return 'away'
  const named = JSON.stringify([connectionId, links.map(({ kind, url }) => [kind, url])])
  return {
    provider: PROVIDER_DESCRIPTIONS[provider].title,
    links,
    digest: createHash('sha256').update(named).digest('base64url').slice(0, 22),
  }
}
