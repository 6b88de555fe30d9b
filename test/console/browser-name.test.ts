// Browsers and network addresses in words.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { addressText, browserText } from '../../src/console/account/browser-name.ts'
import { en } from '../../src/console/account/words-en.ts'
import { es } from '../../src/console/account/words-es.ts'

describe('a session in words', () => {
  it('names the browser and the system, as they call themselves', () => {
    for (const [agent, name] of [
      [
        'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
        'Chrome en Windows',
      ],
      [
        'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
        'Edge en Windows',
      ],
      [
        'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
        'Safari en iPhone',
      ],
      [
        'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0',
        'Firefox en Mac',
      ],
      [
        'Mozilla/5.0 (Linux; Android 15; SM-A156M) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36',
        'Samsung Internet en Android',
      ],
      ['curl/8.5.0', 'Navegador desconocido'],
      ['<b>Chrome/1</b>', 'Chrome'],
      [null, 'Navegador desconocido'],
    ] as const)
      assert.equal(browserText(agent, es.sessions), name)
    assert.equal(browserText('Firefox/140.0 (Windows)', en.sessions), 'Firefox on Windows')
  })

  it('says of an address whether it is near', () => {
    for (const [address, words] of [
      ['127.0.0.1', 'este computador'],
      ['::1', 'este computador'],
      ['192.168.1.20', 'red local, 192.168.1.20'],
      ['fd00::1', 'red local, fd00::1'],
      ['190.24.10.5', '190.24.10.5'],
      [null, 'dirección desconocida'],
    ] as const)
      assert.equal(addressText(address, es.sessions), words)
  })
})
