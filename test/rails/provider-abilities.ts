// What a provider's description promises, held against what its adapter opens. Called by provider-conformance.ts.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Credentials } from '../../src/core/connections/connection.ts'
import { type ProviderDescription, payinUse, USES, type Use } from '../../src/core/connections/provider.ts'
import { RAILS, type Rail } from '../../src/core/connections/rail.ts'
import type { ProviderSettings } from '../../src/rails/provider.ts'
import type { ProviderRails } from '../../src/rails/rail.ts'
import type { FakeNetwork } from './fake-network.ts'

export type Opening = {
  readonly credentials: () => Credentials
  readonly farSide: () => FakeNetwork
  readonly withRails: <Result>(
    use: (rails: ProviderRails) => Result | Promise<Result>,
    settings?: Partial<ProviderSettings>,
  ) => Promise<Result>
}

export function abilityConformance(
  description: ProviderDescription,
  { credentials, farSide, withRails }: Opening,
): void {
  const assertOffers = (rails: ProviderRails, uses: readonly Use[]): void => {
    const rows = RAILS.map((rail): [Rail, boolean] => [rail, uses.includes(payinUse(rail))])
    for (const [rail, isOffered] of rows) {
      const payins = rails.payins[rail]
      const abilities = description.payins[rail]
      assert.equal(payins !== undefined, isOffered, `${rail} payins with ${uses}`)
      if (payins === undefined) continue
      assert.ok(abilities !== undefined, `${rail} is not described`)
      assert.equal(payins.returnPayment !== null, abilities.returnsPayments)
    }
    const offered = rows.flatMap(([rail, isOffered]) => (isOffered && description.payins[rail]) || [])
    assert.equal(
      rails.terms !== null,
      offered.some(({ hasTerms }) => hasTerms),
      `terms with ${uses}`,
    )
    assert.equal(
      rails.banks !== null,
      offered.some(({ hasBanks }) => hasBanks),
      `banks with ${uses}`,
    )
    assert.equal(rails.payouts !== null, uses.includes('BRE_B_OUT'), `payouts with ${uses}`)
    assert.equal(rails.directory !== null, uses.includes('BRE_B_OUT'), `directory with ${uses}`)
  }

  it('is true of what is opened with all uses', async () => {
    farSide().willAnswer('reset')
    await withRails((rails) => assertOffers(rails, description.uses))
    assert.deepEqual([farSide().asked.length, farSide().tokensGranted()], [0, 0])
  })

  it('is true with fewer uses, and only with the credentials that these need', async () => {
    const all = credentials()
    for (const uses of [...description.uses.map((use) => [use]), []]) {
      const needed = description.fields.filter(({ neededFor }) => neededFor.some((use) => uses.includes(use)))
      const given = Object.fromEntries(needed.map(({ name }) => [name, all[name] as string]))
      await withRails(
        (rails) => {
          assertOffers(rails, uses)
          for (const use of USES) assert.equal(rails.isAway(use), false)
        },
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
