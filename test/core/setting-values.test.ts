// How settings are read, what is too weak, and what is told of a mistake.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { distinctEmails, isEmail, isPhone, isPrintable } from '../../src/core/contact.ts'
import { isImage } from '../../src/core/image-data.ts'
import { weaknessOf, weaknessOfKey } from '../../src/core/secret-strength.ts'
import {
  hostsNamed,
  isPercentEncoded,
  namesOf,
  railsNamed,
  rangesNamed,
  readOidc,
  readSecretsKey,
  SECRET_LENGTHS,
  tooWeak,
} from '../../src/core/setting-values.ts'
import { quoted } from '../../src/core/shell-text.ts'
import { clockOffsetInRange, MAX_CLOCK_OFFSET_MS } from '../../src/core/staging-clock.ts'
import { readTracing } from '../../src/core/tracing/settings.ts'

const settings = (given: Readonly<Record<string, string>>) => (name: string) => given[name] ?? null

describe('a setting', () => {
  it('of a key is 32 bytes, as hex digits or base64', () => {
    const read = (value: string | null) => {
      const mistakes: string[] = []
      return [readSecretsKey('SECRETS_KEY', value, mistakes)?.toString('hex') ?? null, mistakes]
    }
    const hex = '00ff'.repeat(16)
    assert.deepEqual(read(null), [null, []])
    assert.deepEqual(read(hex), [hex, []])
    assert.deepEqual(read(hex.toUpperCase()), [hex, []])
    assert.deepEqual(read(Buffer.from(hex, 'hex').toString('base64')), [hex, []])
    const mistake =
      'SECRETS_KEY must be 32 random bytes as 64 hex digits or base64: openssl rand -hex 32 makes one.'
    for (const wrong of ['', 'x', hex.slice(1), `${hex}0`, Buffer.alloc(31).toString('base64')])
      assert.deepEqual(read(wrong)[1], [mistake], wrong)
  })

  it('of rails names all, none or some, in our order', () => {
    assert.deepEqual(railsNamed(null), ['BRE_B', 'PSE'])
    assert.deepEqual(railsNamed('none'), [])
    assert.deepEqual(railsNamed('PSE, BRE_B'), ['BRE_B', 'PSE'])
    assert.deepEqual(railsNamed('PSE'), ['PSE'])
    for (const wrong of ['', 'pse', 'PSE,', 'PSE,ACH']) assert.equal(railsNamed(wrong), undefined, wrong)
  })

  it('of hosts is a list in small letters, which may be empty', () => {
    assert.deepEqual(hostsNamed(''), [])
    assert.deepEqual(hostsNamed('Pay.Example, a-b.example'), ['pay.example', 'a-b.example'])
    assert.deepEqual(hostsNamed('x'.repeat(253)), ['x'.repeat(253)])
    for (const wrong of ['x'.repeat(254), 'a,,b', 'https://a', 'a b', 'é'])
      assert.equal(hostsNamed(wrong), undefined, wrong)
  })

  it('of ranges says which of them are none', () => {
    assert.deepEqual(rangesNamed(null, ['10.0.0.0/8']), { ranges: ['10.0.0.0/8'], wrong: [] })
    assert.deepEqual(rangesNamed('none', ['10.0.0.0/8']), { ranges: [], wrong: [] })
    assert.deepEqual(rangesNamed('10.0.0.1, x,::1', []), {
      ranges: ['10.0.0.1/32', '::1/128'],
      wrong: [' x'],
    })
  })

  it('of the company’s accounts is whole or not there, and encrypted but on this machine', () => {
    const read = (given: Readonly<Record<string, string>>, isProduction = true) => {
      const mistakes: string[] = []
      return [readOidc(settings(given), isProduction, mistakes), mistakes]
    }
    const all = { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' }
    assert.deepEqual(read({}), [null, []])
    assert.deepEqual(read(all), [{ issuer: 'https://id.example', clientId: 'a', clientSecret: 'b' }, []])
    assert.deepEqual(read({ OIDC_CLIENT_ID: 'a' }), [
      { issuer: '', clientId: 'a', clientSecret: '' },
      ['OIDC_ISSUER, OIDC_CLIENT_SECRET must be set as well: OIDC_CLIENT_ID is.'],
    ])
    assert.deepEqual(read({ OIDC_ISSUER: 'https://id.example' })[1], [
      'OIDC_CLIENT_ID, OIDC_CLIENT_SECRET must be set as well: OIDC_ISSUER is.',
    ])
    assert.deepEqual(read({ OIDC_CLIENT_SECRET: 'b' })[0], { issuer: '', clientId: '', clientSecret: 'b' })
    const issuers = [
      'http://localhost:9000',
      'http://id.example',
      'ftp://localhost',
      'x',
      'https://id.example',
    ]
    const mistakesOf = (isProduction: boolean) =>
      issuers.map((issuer) => (read({ ...all, OIDC_ISSUER: issuer }, isProduction)[1] as string[]).length)
    assert.deepEqual(mistakesOf(false), [0, 1, 1, 1, 0])
    assert.deepEqual(mistakesOf(true), [1, 1, 1, 1, 0])
    assert.deepEqual(read({ ...all, OIDC_ISSUER: 'x' })[1], [
      'OIDC_ISSUER must be an address that begins with https://, not "x".',
    ])
  })

  it('of tracing is off without an address, and else has what is usual', () => {
    const read = (given: Readonly<Record<string, string>>) => {
      const mistakes: string[] = []
      const read = readTracing(settings(given), mistakes)
      return { read, mistakes }
    }
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel.example:4318//' }
    assert.deepEqual(read({}), { read: null, mistakes: [] })
    const usual = read(endpoint)
    assert.deepEqual(usual.mistakes, [])
    const samplerWith = (given: Readonly<Record<string, string>>) =>
      read({ ...endpoint, ...given }).read?.sampler
    assert.deepEqual(samplerWith({}), { ratio: 0.05, followsParent: true })
    assert.deepEqual(samplerWith({ OTEL_TRACES_SAMPLER_ARG: '.25' }), { ratio: 0.25, followsParent: true })
    assert.deepEqual(samplerWith({ OTEL_TRACES_SAMPLER: 'always_on' }), { ratio: 1, followsParent: false })
    const { sampler: _, ...plain } = usual.read ?? {}
    assert.deepEqual(plain, {
      url: 'http://otel.example:4318/v1/traces',
      headers: {},
      serviceName: 'recaudo',
    })
    const own = read({
      ...endpoint,
      OTEL_SERVICE_NAME: 'x',
      OTEL_EXPORTER_OTLP_HEADERS: 'Api-Key = a%20b , c=,',
    })
    assert.deepEqual(own.read?.headers, { 'api-key': 'a b', c: '' })
    assert.equal(own.read?.serviceName, 'x')
    const wrong = (given: Readonly<Record<string, string>>) => read({ ...endpoint, ...given }).mistakes.length
    for (const url of [
      'otel.example',
      'ftp://otel.example',
      'http://u@otel.example',
      'http://:p@otel.example',
      '',
    ])
      assert.equal(wrong({ OTEL_EXPORTER_OTLP_ENDPOINT: url }), 1, url)
    for (const name of ['', 'a b', 'é', 'x'.repeat(101)])
      assert.equal(wrong({ OTEL_SERVICE_NAME: name }), 1, name)
    assert.equal(wrong({ OTEL_SERVICE_NAME: 'x'.repeat(100) }), 0)
    for (const headers of ['a', '=b', 'a=%zz', 'a=%00', 'a=b c', 'a b=c'])
      assert.equal(wrong({ OTEL_EXPORTER_OTLP_HEADERS: headers }), 1, headers)
    assert.equal(wrong({ OTEL_TRACES_SAMPLER: 'sometimes' }), 1)
    const ratios = ['0', '1', '1.0', '.5', '0.25', '1.1', '2', '-1', '', 'x', '1.', '1e-1']
    const judged = ratios.map((ratio) => wrong({ OTEL_TRACES_SAMPLER_ARG: ratio }))
    assert.deepEqual(judged, [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1])
  })

  it('of an offset of the clock never leads back, nor beyond ten years', () => {
    const offsets = [
      -1,
      0,
      5,
      MAX_CLOCK_OFFSET_MS,
      MAX_CLOCK_OFFSET_MS + 1,
      Number.NaN,
      Number.POSITIVE_INFINITY,
    ]
    assert.deepEqual(offsets.map(clockOffsetInRange), [
      0,
      0,
      5,
      MAX_CLOCK_OFFSET_MS,
      MAX_CLOCK_OFFSET_MS,
      0,
      0,
    ])
  })

  it('of an address has every character of its escapes', () => {
    assert.deepEqual(['a%20b', '%aF', 'a', 'a%2', '%', '%zz'].map(isPercentEncoded), [
      ...[true, true, true],
      ...[false, false, false],
    ])
  })

  it('is told in words, where it is too weak or not encrypted', () => {
    assert.equal(
      tooWeak('METRICS_TOKEN', 'it is short'),
      'METRICS_TOKEN is too weak for production: it is short. `openssl rand -hex 32` makes a good one; a key that a network or a reader of metrics shares is changed there too.',
    )
    assert.equal(
      namesOf(['a.example', '']),
      'what goes to a.example and a host that it does not name could be read and changed on the way',
    )
    assert.deepEqual(SECRET_LENGTHS, {
      ...{ BREB_CLIENT_SECRET: 1, BREB_NOTIFICATION_KEY: 32, BREB_NOTIFICATION_KEY_PREVIOUS: 32 },
      ...{ PSE_CLIENT_SECRET: 1, PSE_NOTIFICATION_KEY: 32, PSE_NOTIFICATION_KEY_PREVIOUS: 32 },
      METRICS_TOKEN: 16,
    })
  })
})

describe('a secret', () => {
  // Digits of pi, which nobody would call a pattern.
  const good = '31415926535897932384626433832795'

  it('is weak if it is published, short, or a pattern', () => {
    assert.equal(weaknessOf(good, 32), undefined)
    assert.equal(weaknessOf(good, 33), 'it has 32 characters, and needs 33')
    assert.equal(weaknessOf('', 1), 'it has 0 characters, and needs 1')
    for (const published of ['staging-only-notification-key', 'staging-only-secret'])
      assert.equal(weaknessOf(published, 1), 'it stands in the source code, which everybody can read')
    const pattern = 'it is a pattern, not drawn by chance'
    const rows = ['abcdefghijklmnopqrstuvwxyz012345', 'zyxwvutsrqponmlk', '02468:<>', 'k9k9', '7tq7tq7tq']
    for (const weak of ['aaaaaaaa', ...rows.slice(1), 'q8w2e9r4q8w2e9r4q8w2e9r4q8w2e9r4', '01'.repeat(16)])
      assert.equal(weaknessOf(weak, 1), pattern, weak)
    // Three letters in no order, of sixteen.
    assert.equal(weaknessOf('aabacabbcacbbaca', 1), pattern)
    // Of one character or two there is nothing to say but their length.
    assert.equal(weaknessOf('a', 1), undefined)
  })

  it('needs eight different characters where it is long, and a quarter of them where it is short', () => {
    const of = (different: number, length: number) =>
      // Each comes once in order, and then in one that has no period.
      Array.from({ length }, (_, at) =>
        'q8w2e9r4t'.charAt(at < different ? at : (at * at + at * 3) % different),
      ).join('')
    assert.equal(weaknessOf(of(7, 61), 1), 'it is a pattern, not drawn by chance')
    assert.equal(weaknessOf(of(8, 61), 1), undefined)
  })

  it('as bytes is judged in the same way', () => {
    assert.equal(weaknessOfKey(Buffer.from(good)), undefined)
    const weak = 'its bytes are a pattern, not drawn by chance'
    assert.equal(weaknessOfKey(Buffer.alloc(32)), weak)
    assert.equal(weaknessOfKey(Uint8Array.from({ length: 32 }, (_, at) => at * 3)), weak)
  })
})

describe('what people are reached by', () => {
  it('is a phone number with its country, or an address with a domain', () => {
    for (const phone of ['+573001234567', '+1234567', '+123456789012345']) assert.ok(isPhone(phone), phone)
    for (const phone of [
      '573001234567',
      '+0573001234',
      '+123456',
      '+1234567890123456',
      '+57 300',
      '+57300123456a',
    ])
      assert.equal(isPhone(phone), false, phone)
    const longest = `${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.co`
    assert.ok(isEmail(longest) && isEmail('josé@correo.com.co') && isEmail('a@b-c.co'))
    for (const email of [
      ...[
        'ana',
        'ana@',
        '@b.co',
        'a@b',
        'a@b.c',
        'a b@c.co',
        'a@-b.co',
        'a@b-.co',
        'a@b..co',
        'a\u0000@b.co',
      ],
      ...[`${'a'.repeat(65)}@b.co`, `${longest}${'e'.repeat(10)}`, 'a@b.co\n', 'a@@b.co'],
    ])
      assert.equal(isEmail(email), false, JSON.stringify(email))
  })

  it('is one mailbox in two spellings, of which the first stays', () => {
    assert.deepEqual(distinctEmails(['A@b.co', 'c@d.co', 'a@B.co', 'c@d.co']), ['A@b.co', 'c@d.co'])
  })

  it('has no signs that cannot be seen', () => {
    assert.ok(isPrintable('Peña 😀 …'))
    for (const text of [
      '\u0000',
      '\u001f',
      '\u007f',
      '\u009f',
      '\u2028',
      '\u2029',
      '\u202a',
      '\u202e',
      '\u2066',
      '\ud800',
    ])
      assert.equal(isPrintable(`a${text}`), false, JSON.stringify(text))
  })
})

describe('a text for a shell', () => {
  it('is bare where that is safe, and in quotes where it is not', () => {
    for (const safe of ['a', 'a@b.co', '10%', 'x+y=z', '/a/b-c_d:e,f']) assert.equal(quoted(safe), safe)
    assert.equal(quoted(''), "''")
    assert.equal(quoted('a b'), "'a b'")
    assert.equal(quoted("it's $x"), "'it'\\''s $x'")
  })
})

describe('an image', () => {
  const uri = (kind: string, bytes: string) =>
    `data:image/${kind};base64,${Buffer.from(bytes, 'latin1').toString('base64')}`

  it('is what its address says it is', () => {
    const images: [kind: string, begins: string][] = [
      ['png', '\x89PNG\r\n\x1a\n'],
      ['jpeg', '\xff\xd8\xff'],
      ['gif', 'GIF87a'],
      ['gif', 'GIF89a'],
      ['webp', 'RIFF\n\0\0\0WEBP'],
      ['svg+xml', '<svg>'],
      ['svg+xml', ' <?xml'],
      ['svg+xml', '<!--'],
      ['svg+xml', '<!DOCTYPE svg'],
    ]
    for (const [kind, begins] of images) {
      assert.ok(isImage(uri(kind, `${begins}…`)), `${kind} ${begins}`)
      assert.equal(isImage(uri(kind, `x${begins}`)), false, `${kind} behind another letter`)
      for (const [other] of images.filter(([one]) => one !== kind))
        assert.equal(isImage(uri(other, begins)), false, `${kind} as ${other}`)
      for (let at = 0; at < begins.trimStart().length; at++) {
        const changed = `${begins.trimStart().slice(0, at)}\u0001${begins.trimStart().slice(at + 1)}`
        const isFree = kind === 'webp' && at >= 4 && at < 8
        assert.equal(isImage(uri(kind, changed)), isFree, `${kind} with another letter at ${at}`)
      }
    }
    for (const none of ['', 'data:image/png;base64,', 'data:text/html;base64,AAAA', uri('bmp', 'BM'), 'x'])
      assert.equal(isImage(none), false, none)
  })
})
