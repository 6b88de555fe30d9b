// The contract of every adapter: of providers, and of the installation's own networks, which are one more provider behind the same port.
// Pass it what the adapter says it can do, its operations with good and bad answers in its far side's format, what its far side tells
// us by itself, and a simulator. It adds every way in which a connection breaks. See docs/rails.md.
//
// A provider's notifications only make us ask (hints). Our own networks' settle payments (notices). Nothing else differs.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Credentials } from '../../src/core/connections/connection.ts'
import {
  INSTALLATION_ABILITIES,
  PROVIDER_DESCRIPTIONS,
  type Provider,
  payinUse,
  type Use,
} from '../../src/core/connections/provider.ts'
import type { Rail } from '../../src/core/connections/rail.ts'
import type { OpenProvider, ProviderSettings } from '../../src/rails/provider.ts'
import type { ProviderRails, Rails } from '../../src/rails/rail.ts'
import { type Abilities, abilityConformance, descriptionConformance } from './conformance/abilities.ts'
import { BROKEN } from './conformance/answers.ts'
import { type Bench, openBench, type Port, type World } from './conformance/bench.ts'
import { hintConformance, type SignedHints } from './conformance/hints.ts'
import { type Life, lifeConformance } from './conformance/lives.ts'
import { noticeConformance, type SignedNotices } from './conformance/notices.ts'
import { type Operation, operationConformance } from './conformance/operations.ts'
import type { Scripted } from './fake-network.ts'

type Common<Opened extends Port> = {
  readonly operations: readonly Operation<Opened>[]
  // How amounts of the orders stand in the answers.
  readonly amounts: readonly (string | number)[]
  // Personal data that occurs in the orders and answers. Secrets among the credentials are added.
  readonly personal: readonly string[]
  // Orders at a simulated far side, by what is ordered.
  readonly lives: readonly Life[]
}

export type ProviderSubject = Common<ProviderRails> & {
  readonly provider: Provider
  readonly open: OpenProvider
  readonly organizationId: string
  // Every field that the uses need, with the address of the far side.
  readonly credentials: (url: string) => Credentials
  readonly previousCredentials: Credentials
  // Answers that `check` is content with.
  readonly check: Scripted
  readonly hints: SignedHints
}

export type NetworkSubject = Common<Rails> & {
  readonly rail: Rail
  readonly open: (url: string, world: World) => Rails
  readonly notices: SignedNotices
}

const PATH = 'canary-path'

export function providerConformance(subject: ProviderSubject): void {
  const { organizationId, previousCredentials: previous } = subject
  const description = PROVIDER_DESCRIPTIONS[subject.provider]
  const secretsOf = (credentials: Credentials): string[] =>
    description.fields.flatMap(({ name, isSecret }) => (isSecret && credentials[name]) || [])

  describe(`the adapter of ${description.title}`, () => {
    const bench = openBench<ProviderRails, ProviderSettings>(
      (url, world, settings) =>
        subject.open(
          {
            organizationId,
            environment: 'test',
            uses: description.uses,
            credentials: subject.credentials(url),
            previousCredentials: null,
            notificationUrl: `https://pay.example.com/notifications/${PATH}`,
            ...settings,
          },
          world,
        ),
      (url) => [...subject.personal, ...[subject.credentials(url), previous].flatMap(secretsOf), PATH],
    )
    const current = () => subject.credentials(bench.farSide().url)
    common(subject, description, bench)
    describe('its description, use by use', () => descriptionConformance(description, current, bench))
    describe('check', () => checkConformance(subject.check, bench))
    describe('hints', () =>
      hintConformance(subject.hints, { organizationId, current, previous, secretsOf }, bench))
  })
}

export function networkConformance(subject: NetworkSubject): void {
  const { rail, personal, notices } = subject
  const paysOut: readonly Use[] = rail === 'BRE_B' ? ['BRE_B_OUT'] : []
  const described: Abilities = {
    title: rail,
    uses: [payinUse(rail), ...paysOut],
    payins: { [rail]: INSTALLATION_ABILITIES },
    lists: ['credit', 'debit'],
  }

  describe(`the ${rail} adapter`, () => {
    const bench = openBench<Rails, unknown>(
      (url, world) => onlyOf(rail, subject.open(url, world)),
      () => personal,
    )
    common(subject, described, bench)
    describe('notices', () => noticeConformance(rail, notices, bench))
  })
}

function common<Opened extends Port>(
  { operations, amounts, lives }: Common<Opened>,
  described: Abilities,
  bench: Bench<Opened>,
): void {
  describe('what it says it can do', () => abilityConformance(described, operations, bench))
  const { uses } = described
  for (const operation of operations) operationConformance(operation, { uses, amounts }, bench)
  for (const life of lives) describe(`${life.name} at its simulator`, () => lifeConformance(life))
}

function checkConformance(
  content: Scripted,
  { farSide, withRails, exchanges, assertNothingPersonal }: Bench<ProviderRails>,
): void {
  it('finds no problem with a provider that answers well', async () => {
    farSide().willAnswer(content)
    const lines = await withRails((rails) => rails.check())
    assert.ok(lines.length > 0)
    for (const { what, problem } of lines) {
      assert.equal(problem, null, what)
      assertNothingPersonal(what)
    }
  })

  it('says what is wrong with any other, without a secret', async () => {
    const broken = Object.entries(BROKEN).map(([what, [answer]]) => [what, answer] as const)
    const refused = ['not authorized', { status: 401, json: {} }] as const
    for (const [what, answer] of [...broken, refused, ['silence', 'silent'] as const]) {
      farSide().willAnswer(answer)
      const deadlines = what === 'silence' ? { queryMs: 150 } : {}
      const lines = await withRails((rails) => rails.check(), deadlines)
      assert.ok(
        lines.some(({ problem }) => problem !== null && problem !== ''),
        what,
      )
      assertNothingPersonal(JSON.stringify([lines, exchanges()]))
    }
  })
}

// Both networks are opened together. The other one is not looked at.
function onlyOf(rail: Rail, { payins, payouts, directory, statement, ...rails }: Rails): Rails {
  const ofRail = { payins: { [rail]: payins[rail] }, statement: { [rail]: statement[rail] } }
  const paying = rail === 'BRE_B' ? { payouts, directory } : { payouts: null, directory: null }
  return { ...rails, ...ofRail, ...paying } as Rails
}
