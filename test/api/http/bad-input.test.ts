// Whatever is sent, the answer is a refusal in our own format, and nothing is written.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { answerClientError } from '../../../src/api/http/body-parsers.ts'
import type { RefusalCode } from '../../../src/core/refusal.ts'
import { type Answer, brebPayin, CUSTOMER, createWorld, psePayin, type World } from '../../world.ts'
import { assertAnyProblem, assertProblem } from './problem.ts'
import { speak } from './wire.ts'

describe('bad input', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const post = (body: unknown, headers: Record<string, string> = {}) =>
    world.client('POST', '/payins', body, headers)
  const countPayins = async (): Promise<bigint> => {
    const { rows } = await world.db.query<{ count: bigint }>({ text: 'select count(*) from payins' })
    return rows[0]?.count ?? -1n
  }
  const nothingIsWritten = async (work: () => Promise<void>): Promise<void> => {
    const before = await countPayins()
    await work()
    assert.equal(await countPayins(), before, 'something was written')
  }
  // A whole request as bytes, with a valid credential.
  const request = (head: string, body: string | Buffer = '', headers = '') =>
    Buffer.concat([
      Buffer.from(`${head} HTTP/1.1\r\nhost: x\r\nx-api-key: ${world.apiKey}\r\n${headers}\r\n`, 'latin1'),
      Buffer.from(body as string),
    ])
  const JSON_TYPE = 'content-type: application/json\r\n'

  it('a body that is not JSON, or not the JSON we accept, is refused', async () => {
    const valid = JSON.stringify(brebPayin())
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    const bodies: [string | Buffer, string][] = [
      ['{', 'unfinished'],
      [valid.slice(0, -1), 'cut off'],
      [`${valid}x`, 'followed by more'],
      [`${valid}${valid}`, 'two of them'],
      [`\ufeff${valid}`, 'byte order mark'],
      ['undefined', 'undefined'],
      ['NaN', 'NaN'],
      ["{'a':1}", 'single quotes'],
      ['{"a":1,}', 'trailing comma'],
      ['{"a":01}', 'leading zero'],
      ['{"a":"\n"}', 'a raw line break in text'],
      ['<payin/>', 'XML'],
      ['amountInCents=5', 'a form'],
      [' ', 'blank'],
      [nested(10_000), 'lists nested ten thousand deep'],
      [`${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`, 'objects nested five thousand deep'],
      [valid.replace('{', `{"extra":${nested(17)},`), 'an unknown field nested too deeply'],
      [valid.replace('{', '{"__proto__":{"rail":"PSE"},'), '__proto__'],
      [valid.replace('{', '{"\\u005f_proto__":{"rail":"PSE"},'), '__proto__ with an escape'],
      [valid.replace('"breb":{', '"breb":{"__proto__":1,'), '__proto__ inside'],
      [valid.replace('{', '{"extra":[{"__proto__":1}],'), '__proto__ in a list'],
      [Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), 'bytes that are no UTF-8'],
      [Buffer.from(valid, 'utf16le'), 'UTF-16'],
      [Buffer.from(valid.replace('Ana', 'Añá'), 'latin1'), 'Latin-1'],
      [
        Buffer.concat([Buffer.from(valid.slice(0, -2)), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')]),
        'a surrogate in UTF-8',
      ],
    ]
    await nothingIsWritten(async () => {
      for (const [body, message] of bodies) assertProblem(await post(body), 'INVALID_JSON', message)
    })
  })

  it('JSON that is not an object is refused', async () => {
    await nothingIsWritten(async () => {
      for (const body of [
        '[]',
        `[${JSON.stringify(brebPayin())}]`,
        '"text"',
        'null',
        '7',
        'true',
        '-0',
        '1e400',
      ]) {
        assertProblem(await post(body), 'INVALID_INPUT', body)
        assertProblem(await world.client('PATCH', '/organization', body), 'INVALID_INPUT', body)
      }
    })
  })

  it('no body where one is needed is refused, and a cancel needs none', async () => {
    await nothingIsWritten(async () => {
      assertProblem(await post(undefined), 'INVALID_INPUT')
      assertProblem(await post('', { 'content-type': 'application/json' }), 'INVALID_INPUT')
    })
    const { json } = await post(brebPayin())
    const canceled = await world.client('POST', `/payins/${json.id}/cancel`, '', {
      'content-type': 'application/json',
    })
    assert.equal(canceled.status, 200)
  })

  it('an amount is a whole number of cents that fits a safe integer, and nothing else', async () => {
    const amounts = [
      '0',
      '-0',
      '-1',
      '0.5',
      '1.5',
      '1e-7',
      '9007199254740992',
      '9007199254740993',
      '1e20',
      '1e308',
      '1e400',
      '-1e400',
      '"5000000"',
      '"0x10"',
      '""',
      'true',
      'null',
      '[5000000]',
      '{"value":5}',
    ]
    await nothingIsWritten(async () => {
      for (const amount of amounts) {
        const text = JSON.stringify(brebPayin()).replace(
          '"amountInCents":5000000',
          `"amountInCents":${amount}`,
        )
        const answer = await post(text)
        assertProblem(answer, 'INVALID_INPUT', amount)
        assert.deepEqual(
          answer.json.errors.map((error: { path: string }) => error.path),
          ['/amountInCents'],
          amount,
        )
      }
      const missing = await post(brebPayin({ amountInCents: undefined }))
      assert.deepEqual(missing.json.errors, [
        { path: '/amountInCents', code: 'REQUIRED', message: 'is required' },
      ])
      assertProblem(await post(brebPayin({ amountInCents: Number.MAX_SAFE_INTEGER })), 'AMOUNT_ABOVE_MAXIMUM')
    })
    assert.equal(
      (await post(JSON.stringify(brebPayin()).replace('5000000', '5.0e6'))).json.amountInCents,
      5_000_000,
    )
  })

  it('a value of another type is refused in every field, and the field is named', async () => {
    const wrong: unknown[] = [null, true, 7, '', 'x\u0000', [], ['COP'], {}, { toString: 'COP' }]
    const fields: [string, (value: unknown) => unknown][] = [
      ['/currency', (value) => brebPayin({ currency: value })],
      ['/rail', (value) => brebPayin({ rail: value })],
      ['/reference', (value) => brebPayin({ reference: value })],
      ['/callbackUrl', (value) => brebPayin({ callbackUrl: value })],
      ['/breb/keyType', (value) => brebPayin({ breb: { keyType: value } })],
      ['/pse/bank', (value) => psePayin({ pse: { bank: value, personType: 'INDIVIDUAL' } })],
      ['/pse/personType', (value) => psePayin({ pse: { bank: 'CO_BANCOLOMBIA', personType: value } })],
      ...Object.keys(CUSTOMER).map((field): [string, (value: unknown) => unknown] => [
        `/inlineCustomer/${field}`,
        (value) => brebPayin({ inlineCustomer: { ...CUSTOMER, [field]: value } }),
      ]),
    ]
    const objects: [string, (value: unknown) => unknown][] = [
      ['/breb', (breb) => brebPayin({ breb })],
      ['/pse', (pse) => psePayin({ pse })],
      ['/inlineCustomer', (inlineCustomer) => brebPayin({ inlineCustomer })],
    ]
    const assertNamed = async (path: string, body: unknown, value: unknown): Promise<void> => {
      const message = `${path} ${JSON.stringify(value)}`
      const answer = await post(body)
      assertAnyProblem(answer, message)
      assert.equal(answer.status, 400, message)
      for (const error of answer.json.errors)
        assert.ok(error.path.startsWith(path), `${message} ${answer.text}`)
    }
    await nothingIsWritten(async () => {
      for (const [path, bodyWith] of fields)
        for (const value of wrong) await assertNamed(path, bodyWith(value), value)
      for (const [path, bodyWith] of objects) {
        for (const value of [null, true, 7, 'text', [], {}]) await assertNamed(path, bodyWith(value), value)
      }
    })
  })

  it('settings of another type or out of range are refused and leave the organization as it was', async () => {
    const before = (await world.client('GET', '/organization')).text
    const changes: Record<string, unknown[]> = {
      name: [null, '', 7, 'x'.repeat(121), 'a\u0000b', '\ud800', '\u202egnp'],
      logoUrl: [
        '',
        'javascript:alert(1)',
        'https://a.example/logo.png',
        'data:text/html;base64,PGI+',
        'data:image/png,abc',
        7,
        `data:image/png;base64,${'x'.repeat(5_500)}`,
        'data:image/png;base64,aGVsbG8=',
      ],
      taxId: ['', 'CAFE', '900123456-1', 7],
      contactEmail: ['', 'ana', 'ana@', 7],
      contactPhone: ['', '3001234567', '+57 300', 7],
      accentColor: ['red', '#12345', '#1234567', '#gggggg', '#123456\n', 7],
      rails: [[], ['BRE_B', 'BRE_B'], ['SWIFT'], 'PSE', null, [null]],
      onAmountMismatch: ['ignore', null, true],
      requireKeyLookup: ['true', 1, null],
      payinExpiryMinutes: [4, 1_441, 15.5, '15', null, -1, 1e20],
      alarmEmails: [
        null,
        'ana@cafe.example',
        [''],
        ['ana'],
        [7],
        ['ana@cafe.example', 'ana@'],
        ['Ana <ana@cafe.example>'],
        ['ana@cafe.example\nbcc: eva@other.example'],
        Array.from({ length: 11 }, (_, at) => `caja-${at}@cafe.example`),
      ],
      alarmLanguage: ['fr', '', null],
    }
    for (const [field, values] of Object.entries(changes)) {
      for (const value of values) {
        const answer = await world.client('PATCH', '/organization', { [field]: value })
        assertProblem(answer, 'INVALID_INPUT', `${field} ${JSON.stringify(value)}`)
      }
    }
    assert.equal((await world.client('GET', '/organization')).text, before)
  })

  it('an address for alarms that is named twice is kept once, as it was first written', async () => {
    const { client } = await world.newMerchant()
    const settings = async (alarmEmails: string[]) =>
      (await client('PATCH', '/organization', { alarmEmails })).json.alarmEmails
    const twice = ['Ana@cafe.example', 'leo@cafe.example', 'ana@CAFE.example', 'leo@cafe.example']
    assert.deepEqual(await settings(twice), twice.slice(0, 2))
    const ten = Array.from({ length: 10 }, (_, at) => `caja-${at}@cafe.example`)
    assert.deepEqual(await settings(ten), ten)
    assert.deepEqual((await client('PATCH', '/organization', { name: 'Café' })).json.alarmEmails, ten)
    assert.deepEqual(await settings([]), [])
  })

  it('control characters, lone surrogates and disguises are refused wherever text goes', async () => {
    const nasty = [
      '\u0000',
      '\u0007',
      '\n',
      '\r',
      '\t',
      '\u007f',
      '\u0085',
      '\u2028',
      '\u202e',
      '\u2066',
      '\ud800',
      '\udc00x',
    ]
    await nothingIsWritten(async () => {
      for (const text of nasty) {
        const message = JSON.stringify(text)
        // JSON.stringify escapes lone surrogates, so they are sent as \ud800, as a careless client would.
        assertProblem(await post(brebPayin({ reference: `a${text}b` })), 'INVALID_INPUT', message)
        for (const field of ['name', 'idNumber', 'phone', 'email'] as const) {
          const inlineCustomer = { ...CUSTOMER, [field]: CUSTOMER[field] + text }
          assertProblem(await post(brebPayin({ inlineCustomer })), 'INVALID_INPUT', `${field} ${message}`)
        }
        const address = await post(brebPayin({ callbackUrl: `https://shop.example/${text}` }))
        assertProblem(address, 'INVALID_INPUT', `callbackUrl ${message}`)
        const bank = await post(psePayin({ pse: { bank: `CO_X${text}`, personType: 'INDIVIDUAL' } }))
        assert.equal(bank.status, 400, `bank ${message}`)
        const query = encodeURIComponent(text.isWellFormed() ? text : '\u0000')
        assertProblem(
          await world.client('GET', `/payins?reference=a${query}`),
          'INVALID_INPUT',
          `query ${message}`,
        )
      }
    })
  })

  it('text is accepted up to its limit in characters and refused beyond it', async () => {
    const email = (length: number) =>
      `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(length - 193)}`
    const limits: [string, number, (length: number) => unknown][] = [
      ['reference', 255, (length) => brebPayin({ reference: `${Date.now()}`.padEnd(length, 'é') })],
      [
        'reference beyond the basic plane',
        255,
        (length) => brebPayin({ reference: `${'💸'.repeat(length - 1)}1` }),
      ],
      ['name', 120, (length) => brebPayin({ inlineCustomer: { ...CUSTOMER, name: 'Ñ'.repeat(length) } })],
      [
        'idNumber',
        20,
        (length) =>
          brebPayin({ inlineCustomer: { ...CUSTOMER, idType: 'PASSPORT', idNumber: '1'.repeat(length) } }),
      ],
      [
        'phone',
        16,
        (length) => brebPayin({ inlineCustomer: { ...CUSTOMER, phone: `+${'5'.repeat(length - 1)}` } }),
      ],
      ['email', 254, (length) => brebPayin({ inlineCustomer: { ...CUSTOMER, email: email(length) } })],
      [
        'callbackUrl',
        2_048,
        (length) => brebPayin({ callbackUrl: 'https://a.example/'.padEnd(length, 'x') }),
      ],
    ]
    for (const [field, limit, bodyWith] of limits) {
      const taken = await post(bodyWith(limit))
      assert.equal(taken.status, 201, `${field} ${taken.text}`)
      await nothingIsWritten(async () =>
        assertProblem(await post(bodyWith(limit + 1)), 'INVALID_INPUT', field),
      )
    }
  })

  it('dangerous addresses are refused as a return address', async () => {
    const addresses = [
      'javascript:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      'ftp://a.example',
      '//a.example',
      '/return',
      'https://',
      'https:// a.example',
      'https://user@a.example',
      'https://user:password@a.example',
      'https://a.example\\@b.example',
      'https://a b.example',
      'HTTPS',
      'https://[::1',
      'https://a.example:99999',
    ]
    await nothingIsWritten(async () => {
      for (const callbackUrl of addresses)
        assertProblem(await post(brebPayin({ callbackUrl })), 'INVALID_INPUT', callbackUrl)
    })
  })

  it('a body that is not sent as JSON in UTF-8 is refused', async () => {
    const body = JSON.stringify(brebPayin())
    const types = [
      'text/plain',
      'text/json',
      'application/xml',
      'application/json-patch+json',
      'application/jsonp',
      'application/ld+json',
      'multipart/form-data; boundary=x',
      'application/x-www-form-urlencoded',
      'application/octet-stream',
      'json',
      '*/*',
      '',
      'application/json; charset=latin1',
      'application/json; charset="utf-16"',
      'application/json;charset=iso-8859-1',
    ]
    await nothingIsWritten(async () => {
      for (const type of types)
        assertProblem(await post(body, { 'content-type': type }), 'UNSUPPORTED_MEDIA_TYPE', type)
      const [none] = await speak(
        world.baseUrl,
        request('POST /payins', body, `content-length: ${body.length}\r\n`),
      )
      assertProblem(none as Answer, 'UNSUPPORTED_MEDIA_TYPE')
    })
    for (const type of [
      'application/json; charset=utf-8',
      'Application/JSON',
      'application/json;charset="UTF-8"',
    ]) {
      assert.equal((await post(brebPayin(), { 'content-type': type })).status, 201, type)
    }
  })

  it('a body over 64 KiB is refused with or without a length, and 64 KiB are accepted', async () => {
    const padded = (bytes: number) => {
      const body = JSON.stringify(brebPayin({ padding: '' }))
      return body.replace('"padding":""', `"padding":"${'x'.repeat(bytes - Buffer.byteLength(body))}"`)
    }
    assert.equal((await post(padded(65_536))).status, 201)
    await nothingIsWritten(async () => {
      assertProblem(await post(padded(65_537)), 'BODY_TOO_LARGE')
      assertProblem(await post('x'.repeat(1_048_576)), 'BODY_TOO_LARGE')
      const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`
      const [chunked] = await speak(world.baseUrl, [
        request('POST /payins', '', `${JSON_TYPE}transfer-encoding: chunked\r\n`),
        ...Array.from({ length: 8 }, () => chunk),
      ])
      assertProblem(chunked as Answer, 'BODY_TOO_LARGE')
    })
  })

  it('a length that does not match the body never creates a payin', async () => {
    const body = JSON.stringify(brebPayin())
    const length = Buffer.byteLength(body)
    const withLength = (said: string, extra = '') =>
      request('POST /payins', body, `${JSON_TYPE}content-length: ${said}\r\n${extra}`)
    await nothingIsWritten(async () => {
      const refused: [Buffer, RefusalCode][] = [
        [withLength('-1'), 'INVALID_INPUT'],
        [withLength('abc'), 'INVALID_INPUT'],
        [withLength('99999999999999999999'), 'INVALID_INPUT'],
        [withLength('4294967296'), 'BODY_TOO_LARGE'],
        [withLength(String(length), `content-length: ${length + 1}\r\n`), 'INVALID_INPUT'],
        [withLength(String(length), 'transfer-encoding: chunked\r\n'), 'INVALID_INPUT'],
        [
          request('POST /payins', 'zz\r\n{}\r\n0\r\n\r\n', `${JSON_TYPE}transfer-encoding: chunked\r\n`),
          'INVALID_INPUT',
        ],
        [request('POST /payins', body, `${JSON_TYPE}transfer-encoding: gzip\r\n`), 'INVALID_INPUT'],
      ]
      for (const [bytes, code] of refused) {
        const [answer] = await speak(world.baseUrl, bytes)
        assertProblem(answer as Answer, code, bytes.toString('latin1').slice(0, 300))
      }
      // The rest of the body is parsed as another request. Whichever is answered first is refused.
      const [cut] = await speak(world.baseUrl, withLength(String(length - 5)))
      assertAnyProblem(cut as Answer)
      const [short] = await speak(world.baseUrl, withLength(String(length + 1)), { halfClose: true })
      assert.equal(short?.status, 400, 'a client that stops in the middle of its body')
    })
  })

  it('bytes that are not HTTP are refused in our own format', async () => {
    const lines: [string, RefusalCode][] = [
      ['hello\r\n\r\n', 'METHOD_NOT_ALLOWED'],
      ['GET /healthz HTTP/9.9\r\n\r\n', 'INVALID_INPUT'],
      ['GET /healthz HTTP/1.1\r\n\r\n', 'INVALID_INPUT'],
      ['GET /healthz HTTP/1.1\r\nhost: x\r\nbad header\r\n\r\n', 'INVALID_INPUT'],
      ['GET /healthz HTTP/1.1\r\nhost: x\r\na: \x00\r\n\r\n', 'INVALID_INPUT'],
      ['GET /a b HTTP/1.1\r\nhost: x\r\n\r\n', 'INVALID_INPUT'],
      ['BREW /payins HTTP/1.1\r\nhost: x\r\n\r\n', 'METHOD_NOT_ALLOWED'],
      ['\x16\x03\x01\x02\x00\x01\x00', 'METHOD_NOT_ALLOWED'],
    ]
    for (const [line, code] of lines) {
      const [answer] = await speak(world.baseUrl, line)
      assertProblem(answer as Answer, code, JSON.stringify(line))
    }
  })

  it('a connection that is being closed has had its answer, and gets no second one', async () => {
    const errors: Error[] = []
    const answer = answerClientError(world.config.publicUrl, () => 'an-id', {})
    const server = createServer((socket) => {
      socket.on('error', (error) => errors.push(error))
      for (const code of ['HPE_INVALID_METHOD', 'HPE_INVALID_CONSTANT']) answer({ code }, socket)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
    const text = (await Array.fromAsync(client)).join('')
    server.close()
    assert.match(text, /^HTTP\/1\.1 405 /)
    assert.equal(text.split('HTTP/1.1').length, 2)
    assert.deepEqual(errors, [])
  })

  it('an address with another method answers 405 and names the allowed methods', async () => {
    const { json: payin } = await post(brebPayin())
    const addresses: [string, string[]][] = [
      ['/payins', ['GET', 'HEAD', 'POST']],
      [`/payins/${payin.id}`, ['GET', 'HEAD']],
      ['/payins/anything', ['GET', 'HEAD']],
      [`/payins/${payin.id}/cancel`, ['POST']],
      ['/organization', ['GET', 'HEAD', 'PATCH']],
      ['/oauth/token', ['POST']],
      ['/healthz', ['GET', 'HEAD']],
      ['/.well-known/jwks.json', ['GET', 'HEAD']],
    ]
    for (const [path, takes] of addresses) {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
        if (takes.includes(method)) continue
        for (const suffix of ['', '?a=b']) {
          const answer = await world.client(method, path + suffix)
          assertProblem(answer, 'METHOD_NOT_ALLOWED', `${method} ${path}`)
          assert.deepEqual(answer.headers.allow?.split(', ').sort(), takes)
        }
      }
    }
    assert.equal((await world.client('GET', `/payins/${payin.id}`)).json.status, 'PROCESSING')
  })

  it('an address that does not exist, or cannot be parsed, is not found', async () => {
    const paths = [
      '/nope',
      '/payin',
      '/payins/',
      '/payins//',
      '/payins/a/b',
      '/Payins',
      '/v1/payins',
      '/payins/%zz',
      '/payins/%',
      '/%c0%af',
      '/payins/%ff',
      '/..%2fetc',
      '/payins/a/cancel/',
      '/oauth',
      '/docs/',
      '/constructor',
      '/__proto__',
    ]
    for (const path of paths) {
      for (const method of ['GET', 'POST']) {
        const [answer] = await speak(world.baseUrl, request(`${method} ${path}`))
        assertProblem(answer as Answer, 'NOT_FOUND', `${method} ${path}`)
      }
    }
    const [answer] = await speak(world.baseUrl, request(`GET /payins/${'a'.repeat(3_000)}`))
    assertProblem(answer as Answer, 'NOT_FOUND', 'an id of 3,000 characters')
  })

  it('an address or headers over 16 KiB are refused', async () => {
    const long = 'x'.repeat(17_000)
    const requests = [
      request(`GET /payins?reference=${long}`),
      request(`GET /${long}`),
      request('GET /payins', '', `x-long: ${long}\r\n`),
      request(
        'GET /payins',
        '',
        Array.from({ length: 500 }, (_, index) => `x-${index}: ${'y'.repeat(40)}\r\n`).join(''),
      ),
    ]
    for (const bytes of requests) {
      const [answer] = await speak(world.baseUrl, bytes)
      assertProblem(answer as Answer, 'HEADERS_TOO_LARGE')
    }
  })

  it('a cursor or filter that is nonsense is refused', async () => {
    const queries: [string, RefusalCode][] = [
      ['cursor=abc', 'CURSOR_INVALID'],
      ['cursor=', 'CURSOR_INVALID'],
      ['cursor=%00', 'CURSOR_INVALID'],
      [`cursor=${'A'.repeat(44)}`, 'CURSOR_INVALID'],
      [`cursor=${'A'.repeat(513)}`, 'INVALID_INPUT'],
      ['cursor=a&cursor=b', 'INVALID_INPUT'],
      ['status=DONE', 'INVALID_INPUT'],
      ['status=PENDING&status=PENDING', 'INVALID_INPUT'],
      ['rail=bre_b', 'INVALID_INPUT'],
      ['reference=', 'INVALID_INPUT'],
      [`reference=${'x'.repeat(256)}`, 'INVALID_INPUT'],
      ['paymentLinkId=7', 'INVALID_INPUT'],
      ['createdFrom=yesterday', 'INVALID_INPUT'],
      ['createdFrom=2026-01-01', 'INVALID_INPUT'],
      ['createdTo=2026-13-01T00:00:00Z', 'INVALID_INPUT'],
      ['createdTo=2026-01-01T00:00:00', 'INVALID_INPUT'],
    ]
    for (const [query, code] of queries)
      assertProblem(await world.client('GET', `/payins?${query}`), code, query)
    const all = await world.client('GET', '/payins?status=X&rail=Y&pageSize=0&createdFrom=Z')
    assert.equal(all.json.errors.length, 4, 'every wrong parameter is named at once')
  })

  it('a valid x-request-id is echoed and an invalid one replaced', async () => {
    for (const id of ['a', 'order-7:retry_2.b', 'x'.repeat(128)]) {
      for (const path of ['/healthz', '/nope', '/payins/%zz']) {
        const answer = await world.client('GET', path, undefined, { 'x-request-id': id })
        assert.equal(answer.headers['x-request-id'], id, path)
      }
    }
    for (const id of ['', 'x'.repeat(129), 'a b', 'a"b', '<script>', 'a,b', 'é']) {
      const answer = await world.client('GET', '/nope', undefined, { 'x-request-id': id })
      assert.match(answer.headers['x-request-id'] ?? '', /^[0-9a-f-]{36}$/, id)
      assertProblem(answer, 'NOT_FOUND')
    }
  })
})
