// What an adapter says it can do, held against what it opens: what it cannot do is not there, and what it can do is tried.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Credentials } from '../../../src/core/connections/connection.ts'
import { type ProviderDescription, payinUse, USES, type Use } from '../../../src/core/connections/provider.ts'
import { RAILS, type Rail } from '../../../src/core/connections/rail.ts'
import type { ProviderSettings } from '../../../src/rails/provider.ts'
import type { OpenedPayin, ProviderRails } from '../../../src/rails/rail.ts'
import type { Bench, Port } from './bench.ts'
import { type Ability, goodAnswers, type Operation } from './operations.ts'

export type Abilities = Pick<ProviderDescription, 'title' | 'uses' | 'payins' | 'lists'>

export function abilityConformance<Opened extends Port>(
  described: Abilities,
  operations: readonly Operation<Opened>[],
  { withRails, farSide }: Bench<Opened>,
): void {
  const tried = (ability: Ability) => operations.find((operation) => operation.ability === ability)

  it('is true of what is opened with all uses', async () => {
    farSide().willAnswer('reset')
    await withRails((rails) => assertOffers(described, rails, described.uses))
    assert.deepEqual([farSide().asked.length, farSide().tokensGranted()], [0, 0])
  })

  it('names nothing that is not tried here', () => {
    for (const ability of abilitiesOf(described)) assert.ok(tried(ability), `${ability} is not tried`)
    // What has an id of the provider's is asked for by that, too.
    for (const kind of ['payin', 'payout'] as const) {
      const { providerId = null } = (tried(`${kind} submit`)?.accepted ?? {}) as Partial<OpenedPayin>
      if (providerId !== null) assert.ok(tried(`${kind} query`), `${kind} query is not tried`)
    }
    for (const { ability } of operations)
      assert.ok(
        abilitiesOf(described).includes(ability) || ability.endsWith('query'),
        `${ability} is no ability`,
      )
  })

  it('says whether a payment can be canceled', async () => {
    const requestsOf = async (operation: Operation<Opened>) => {
      farSide().willAnswer(goodAnswers(operation))
      await withRails(operation.call)
      return farSide().asked.map(({ method, path }) => `${method} ${path}`)
    }
    const cancel = tried('payin cancel')
    const asking = tried('payin query') ?? tried('payin search')
    if (cancel === undefined || asking === undefined) return assert.deepEqual(described.payins, {})
    const [canceling, querying] = [await requestsOf(cancel), await requestsOf(asking)]
    for (const { cancel } of Object.values(described.payins))
      if (cancel === 'none') assert.deepEqual(canceling, querying, 'it only asks')
      else assert.notDeepEqual(canceling, querying, 'it does more than ask')
  })
}

function abilitiesOf({ uses, payins, lists }: Abilities): Ability[] {
  const all = Object.values(payins)
  const can = (isAble: boolean, ...abilities: Ability[]): Ability[] => (isAble ? abilities : [])
  return [
    ...can(all.length > 0, 'payin submit', 'payin search', 'payin cancel'),
    ...can(
      all.some(({ returnsPayments }) => returnsPayments),
      'payin return',
    ),
    ...can(
      all.some(({ hasTerms }) => hasTerms),
      'terms',
    ),
    ...can(
      all.some(({ hasBanks }) => hasBanks),
      'banks',
    ),
    ...can(uses.includes('BRE_B_OUT'), 'payout submit', 'payout search', 'look-up'),
    ...can(lists.length > 0, 'statement'),
  ]
}

function assertOffers({ payins: described, lists }: Abilities, rails: Port, uses: readonly Use[]): void {
  const rows = RAILS.map((rail): [Rail, boolean] => [rail, uses.includes(payinUse(rail))])
  const paysOut = uses.includes('BRE_B_OUT')
  for (const [rail, isOffered] of rows) {
    const payins = rails.payins[rail]
    const abilities = described[rail]
    assert.equal(payins !== undefined, isOffered, `${rail} payins with ${uses}`)
    const isListed =
      (isOffered && lists.includes('credit')) || (rail === 'BRE_B' && paysOut && lists.includes('debit'))
    assert.equal(rails.statement[rail] !== undefined, isListed, `${rail} statement with ${uses}`)
    if (payins === undefined) continue
    assert.ok(abilities !== undefined, `${rail} is not described`)
    assert.equal(payins.returnPayment !== null, abilities.returnsPayments)
  }
  const offered = rows.flatMap(([rail, isOffered]) => (isOffered && described[rail]) || [])
  const hasTerms = offered.some((abilities) => abilities.hasTerms)
  const hasBanks = offered.some((abilities) => abilities.hasBanks)
  assert.equal(rails.terms !== null, hasTerms, `terms with ${uses}`)
  assert.equal(rails.banks !== null, hasBanks, `banks with ${uses}`)
  assert.equal(rails.payouts !== null, paysOut, `payouts with ${uses}`)
  assert.equal(rails.directory !== null, paysOut, `directory with ${uses}`)
}

// Only of providers: merchants choose the uses, and give the credentials that these need.
export function descriptionConformance(
  description: ProviderDescription,
  credentials: () => Credentials,
  { withRails }: Bench<ProviderRails, ProviderSettings>,
): void {
  it('is true with fewer uses, and only with the credentials that these need', async () => {
    const all = credentials()
    for (const uses of [...description.uses.map((use) => [use]), []]) {
      const needed = description.fields.filter(({ neededFor }) => neededFor.some((use) => uses.includes(use)))
      const given = Object.fromEntries(needed.map(({ name }) => [name, all[name] as string]))
      await withRails(
        (rails) => {
          assertOffers(description, rails, uses)
          for (const use of USES) assert.equal(rails.isAway(use), false)
        },
        {},
        { uses, credentials: given },
      )
    }
  })

  it('names payins of each use, and credentials that the fields accept', () => {
    const rails = RAILS.filter((rail) => description.uses.includes(payinUse(rail)))
    assert.deepEqual(new Set(Object.keys(description.payins)), new Set(rails))
    for (const { name, patterns, neededFor } of description.fields) {
      const value = credentials()[name]
      if (neededFor.length > 0) assert.match(value ?? '', new RegExp(patterns.test), name)
    }
  })
}
