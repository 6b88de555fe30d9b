// What every provider's notifications have in common, whatever signs them: they only make us ask, and only about the payment that
// the signature names.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Credentials } from '../../../src/core/connections/connection.ts'
import { DAY_MS } from '../../../src/core/instant.ts'
import { isOwnReference, type ProviderSettings } from '../../../src/rails/provider.ts'
import type { HintedPayment, ProviderRails } from '../../../src/rails/rail.ts'
import { type Bench, NOW } from './bench.ts'

export type Notification = { readonly headers: Readonly<Record<string, string>>; readonly body: string }
export type Sign = (credentials: Credentials) => Notification

export type SignedHints = {
  // Notifications, by what is particular to each, and the payment that each is about.
  readonly signed: Readonly<Record<string, { readonly sign: Sign; readonly about: HintedPayment }>>
  // Signed, and not about a payment of ours.
  readonly ignored: Readonly<Record<string, Sign>>
  // The signature does not cover the name of the payment. Whoever alters it can make us ask about another one of the same merchant.
  readonly nameIsUnsigned?: true
}

export type Secrets = {
  readonly organizationId: string
  readonly current: () => Credentials
  readonly previous: Credentials
  readonly secretsOf: (credentials: Credentials) => string[]
}

export function hintConformance(
  { signed, ignored, nameIsUnsigned }: SignedHints,
  { organizationId, current, previous, secretsOf }: Secrets,
  { withRails: withSettings, assertNothingPersonal }: Bench<ProviderRails, ProviderSettings>,
): void {
  const withRails = <Result>(
    use: (rails: ProviderRails) => Result | Promise<Result>,
    settings: Partial<ProviderSettings> = {},
  ) => withSettings(use, {}, settings)
  const reading = (
    { headers, body }: { headers: Readonly<Record<string, string | string[]>>; body: string | Buffer },
    rails: ProviderRails,
  ) => rails.readHint(headers, Buffer.from(body), NOW)

  for (const [what, { sign, about }] of Object.entries(signed)) {
    // Nothing, or a question about the same payment.
    const assertHarmless = (hint: ReturnType<ProviderRails['readHint']>, change: string): void => {
      if (hint === undefined || !('ask' in hint)) return
      if (!nameIsUnsigned) assert.deepEqual(hint.ask, [about], change)
      assert.deepEqual(
        hint.ask.map(({ kind }) => kind),
        [about.kind],
        change,
      )
      for (const asked of hint.ask)
        if ('reference' in asked)
          assert.ok(isOwnReference(asked.kind, organizationId, asked.reference), change)
    }

    it(`ask about the payment: ${what}`, async () => {
      await withRails((rails) => {
        const hint = reading(sign(current()), rails)
        assert.ok(hint !== undefined && 'ask' in hint, JSON.stringify(hint))
        assert.deepEqual(hint.ask, [about])
      })
    })

    it(`say the same when they come again: ${what}`, async () => {
      await withRails((rails) => {
        const hint = reading(sign(current()), rails)
        for (const _ of [1, 2]) assert.deepEqual(reading(sign(current()), rails), hint)
      })
    })

    it(`say the same a day later, or are not believed any more: ${what}`, async () => {
      await withRails((rails) => {
        const { headers, body } = sign(current())
        const late = rails.readHint(headers, Buffer.from(body), NOW + DAY_MS)
        if (late !== undefined) assert.deepEqual(late, reading({ headers, body }, rails))
      })
    })

    it(`are signed with the secret before, while there is one: ${what}`, async () => {
      const read = (rails: ProviderRails) => reading(sign(previous), rails)
      assert.equal(await withRails(read), undefined)
      const hint = await withRails(read, { previousCredentials: previous })
      assert.ok(hint !== undefined && 'ask' in hint)
      assert.deepEqual(hint.ask, [about])
    })

    it(`are not believed with a wrong secret or none: ${what}`, async () => {
      const secrets = secretsOf(current())
      const altered = (alter: (secret: string) => string) =>
        Object.fromEntries(
          Object.entries(current()).map(([name, value]) => [
            name,
            secrets.includes(value) ? alter(value) : value,
          ]),
        )
      const wrong = sign(altered((secret) => `${secret}x`))
      const empty = altered(() => '')
      const unsigned = sign(empty)
      await withRails(
        (rails) => {
          assert.equal(reading(wrong, rails), undefined)
          assert.equal(reading(unsigned, rails), undefined)
        },
        { previousCredentials: previous },
      )
      // A connection without a secret believes nobody.
      for (const credentials of [{}, empty])
        for (const previousCredentials of [null, {}, empty])
          await withRails((rails) => assert.equal(reading(unsigned, rails), undefined), {
            uses: [],
            credentials,
            previousCredentials,
          })
    })

    it(`are never about another payment, whatever bit of them is changed: ${what}`, async () => {
      const good = sign(current())
      await withRails((rails) => {
        const bytes = Buffer.from(good.body)
        for (let at = 0; at < bytes.length; at += 1) {
          for (let bit = 0; bit < 8; bit += 1) {
            const body = Buffer.from(bytes)
            body[at] = (body[at] as number) ^ (1 << bit)
            assertHarmless(reading({ ...good, body }, rails), `bit ${bit} of byte ${at} of ${good.body}`)
          }
          assertHarmless(reading({ ...good, body: bytes.subarray(0, at) }, rails), `the first ${at} bytes`)
        }
        for (const [name, value] of Object.entries(good.headers)) {
          for (let at = 0; at < value.length; at += 1) {
            const changed = `${value.slice(0, at)}${value[at] === '0' ? '1' : '0'}${value.slice(at + 1)}`
            const headers = { ...good.headers, [name]: changed }
            assertHarmless(reading({ ...good, headers }, rails), `${name}: ${changed}`)
          }
          const { [name]: _, ...others } = good.headers
          for (const headers of [others, { ...others, [name]: '' }, { ...others, [name]: [value, value] }])
            assertHarmless(reading({ ...good, headers }, rails), `without ${name}`)
        }
      })
    })
  }

  for (const [what, sign] of Object.entries(ignored)) {
    it(`leave alone ${what}`, async () => {
      await withRails((rails) => {
        const hint = reading(sign(current()), rails)
        assert.ok(hint !== undefined && 'ignored' in hint, JSON.stringify(hint))
        assertNothingPersonal(hint.ignored)
      })
    })
  }

  it('survive any bytes', async () => {
    const headers = Object.assign({}, ...Object.values(signed).map(({ sign }) => sign(current()).headers))
    const draw = drawer(1)
    const bytes = () => Buffer.from(Array.from({ length: draw(400) }, () => draw(256)))
    const bodies = [
      ...['', 'null', '[]', '{}', '"a"', '0', 'true', '{"__proto__":null}', '['.repeat(50_000)],
      ...Array.from({ length: 500 }, bytes),
    ]
    await withRails((rails) => {
      for (const body of bodies) {
        assert.equal(reading({ headers, body }, rails), undefined)
        assert.equal(reading({ headers: {}, body }, rails), undefined)
        const others = Object.fromEntries(
          Object.keys(headers).map((name) => [name, bytes().toString('latin1')]),
        )
        assert.equal(reading({ headers: others, body }, rails), undefined)
      }
    })
  })
}

// Whole numbers below a limit, the same in every run.
function drawer(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
