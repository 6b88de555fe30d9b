// recaudo sandbox --provider, as a developer starts it.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { PROVIDER_DESCRIPTIONS } from '../../src/core/connections/provider.ts'
import { OperatorFailure } from '../../src/operator/failure.ts'
import { openSimulatedProvider } from '../../src/operator/simulated-provider.ts'
import { PROVIDERS } from '../../src/sandbox/providers/providers.ts'
import { freePort } from '../free-port.ts'

describe('a simulated provider that a developer starts', () => {
  const directory = mkdtempSync(join(tmpdir(), 'recaudo-provider-'))
  after(() => rmSync(directory, { recursive: true, force: true }))
  const config = readConfig({ DATA_DIR: directory })

  for (const [name, { credentials, testData }] of Object.entries(PROVIDERS))
    it(`${name}: says where it is, what to sign with and what to try, and keeps its data from others`, async () => {
      const port = String(await freePort())
      await using provider = await openSimulatedProvider(config, { provider: name, port })
      assert.equal(provider.url, `http://127.0.0.1:${port}`)
      for (const shown of [provider.url, ...Object.values(credentials), ...testData.flat(), '--notify-url'])
        assert.ok(provider.greeting.includes(shown), shown)
      assert.ok(testData.length > 0)
      const moved = await fetch(`${provider.url}/control/clock/advance`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"seconds": 60}',
      })
      assert.equal(moved.status, 200)
      assert.equal(statSync(join(directory, `provider-${name}.sqlite`)).mode & 0o077, 0)
    })

  it('says where its notices go: where each payment says, if the provider has no address of its own', async () => {
    const greetingOf = async (flags: Record<string, string>) => {
      await using provider = await openSimulatedProvider(config, { ...flags, port: String(await freePort()) })
      return provider.greeting
    }
    const elsewhere = 'http://127.0.0.1:4000/elsewhere'
    assert.match(await greetingOf({ provider: 'wompi' }), /Notices go nowhere: name an address/)
    assert.match(
      await greetingOf({ provider: 'wompi', 'notify-url': elsewhere }),
      /Notices go to http:\S+elsewhere\./,
    )
    const named = await greetingOf({ provider: 'placetopay' })
    assert.match(named, /Notices go where each payment says \(notificationURL\), or else to --notify-url\./)
    const both = await greetingOf({ provider: 'placetopay', 'notify-url': elsewhere })
    assert.match(
      both,
      /Notices go where each payment says \(notificationURL\), or else to http:\S+elsewhere\./,
    )
  })

  it('names its keys as a connection takes them, each once', () => {
    const named = Object.entries(PROVIDERS).flatMap(([name, { credentials }]) =>
      Object.keys(credentials).map((key) => `${name.replace('-payouts', '')} ${key}`),
    )
    const taken = Object.entries(PROVIDER_DESCRIPTIONS).flatMap(([provider, { fields }]) =>
      fields.filter(({ defaults }) => defaults === undefined).map(({ name }) => `${provider} ${name}`),
    )
    assert.deepEqual(named.sort(), taken.sort())
  })

  it('refuses what it does not know, and says what to change', async () => {
    const wrong: [flags: Record<string, string>, message: RegExp][] = [
      [{ provider: 'paypal' }, /no simulated provider "paypal".*wompi/],
      [{ provider: 'toString' }, /no simulated provider/],
      [{ provider: 'wompi', port: '0' }, /--port must be a number from 1 to 65535/],
      [{ provider: 'wompi', port: '70000' }, /--port must be/],
      [{ provider: 'wompi', 'notify-url': 'https://elsewhere.example/x' }, /an address on this machine/],
      [{ provider: 'wompi', 'notify-url': 'here' }, /an address on this machine/],
    ]
    for (const [flags, message] of wrong)
      await assert.rejects(
        openSimulatedProvider(config, flags),
        (error: OperatorFailure) => error instanceof OperatorFailure && message.test(error.message),
      )
    const port = String(await freePort())
    await using _first = await openSimulatedProvider(config, { provider: 'wompi', port })
    await assert.rejects(
      openSimulatedProvider(config, { provider: 'wompi', port }),
      /set --port to a free one/,
    )
  })
})
