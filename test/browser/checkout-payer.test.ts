// How payers use the pages: by keyboard, without script, in two tabs, leaving and coming back.

import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { TOKEN } from '../checkout/harness.ts'
import { BANK_URL, brebPayin, CALLBACK_URL, CUSTOMER, link, NOW, psePayin } from '../checkout/subjects.ts'
import { axeViolations, closeBrowser, openPayer, type Payer } from './payer.ts'

after(closeBrowser)

const preparing = psePayin({ status: 'PENDING', bankUrl: null, traceId: null })
const confirmed = { status: 'CONFIRMED', confirmedAmountInCents: 8_000_000n, resultAt: NOW } as const
const paid = link({ status: 'COMPLETED', payin: brebPayin(confirmed) })

const heading = (payer: Payer) => payer.page.locator('h1')
const sees = (payer: Payer, title: string) => heading(payer).filter({ hasText: title }).waitFor()

describe('a payer with a keyboard', () => {
  it('chooses, fills in and sends the form', async () => {
    await using payer = await openPayer(link())
    const { page, harness } = payer
    await page.goto(payer.url())
    const focused = () => page.evaluate<string>('document.activeElement.id')
    const tabTo = async (id: string) => {
      for (let press = 0; press < 20 && (await focused()) !== id; press++) await page.keyboard.press('Tab')
      assert.equal(await focused(), id)
    }
    for (const id of ['bank', 'name', 'idType', 'idNumber', 'phone', 'email'])
      assert.equal(await page.locator(`#${id}`).isVisible(), false, `Bre-B does not ask for ${id}`)
    await tabTo('BRE_B')
    await page.keyboard.press('ArrowDown')
    assert.equal(await focused(), 'PSE')
    await tabTo('bank')
    await page.keyboard.type('Nequi')
    await tabTo('name')
    await page.keyboard.insertText(CUSTOMER.name)
    await tabTo('idType')
    await page.keyboard.type('C')
    await tabTo('idNumber')
    await page.keyboard.insertText('1.000.000.001')
    await tabTo('phone')
    await page.keyboard.type('300 123 4567')
    await tabTo('email')
    await page.keyboard.insertText(CUSTOMER.email)
    harness.answers.begin = () => {
      harness.become(link({ payin: preparing }))
      return 'begun'
    }
    await page.keyboard.press('Enter')
    await sees(payer, 'Conectando con Bancolombia')
    assert.deepEqual(harness.asked, [
      {
        call: 'begin',
        token: harness.asked[0]?.token,
        choice: { rail: 'PSE', bank: 'CO_NEQUI', personType: 'INDIVIDUAL', customer: CUSTOMER },
      },
    ])
  })

  it('reaches everything that can be pressed, with a visible focus', async () => {
    await using payer = await openPayer()
    const { page, harness } = payer
    const subjects = { breb: link({ payin: brebPayin() }), paid, pse: link({ payin: psePayin() }) }
    for (const [name, subject] of Object.entries(subjects)) {
      harness.subjects.set(name, subject)
      await page.goto(payer.url('', name))
      const pressable = await page.locator('a:visible, button:visible').count()
      const reached = new Set<string>()
      for (let press = 0; press < pressable; press++) {
        await page.keyboard.press('Tab')
        const [outline, text] = await page.evaluate<[string, string]>(
          `[getComputedStyle(document.activeElement).outlineStyle, document.activeElement.outerHTML]`,
        )
        assert.equal(outline, 'solid', text)
        reached.add(text)
      }
      assert.equal(reached.size, pressable)
    }
  })
})

describe('a payer without script', () => {
  const noScript = { javaScriptEnabled: false }

  it('pays by PSE: the page refreshes by itself and goes on to the bank', async () => {
    await using payer = await openPayer(link({ customer: CUSTOMER }), noScript)
    const { page, harness } = payer
    await page.goto(payer.url())
    await page.getByRole('radio', { name: /PSE/ }).check()
    await page.getByLabel('Tu banco', { exact: true }).selectOption('CO_BANCOLOMBIA')
    harness.answers.begin = () => {
      harness.become(link({ payin: preparing }))
      return 'begun'
    }
    await page.getByRole('button', { name: 'Continuar' }).click()
    await sees(payer, 'Conectando con Bancolombia')
    harness.become(link({ payin: psePayin() }))
    await page.waitForURL(BANK_URL)
  })

  it('sees the errors of the form, the first one in focus', async () => {
    await using payer = await openPayer(link(), noScript)
    const { page } = payer
    await page.goto(payer.url())
    await page.getByRole('radio', { name: /PSE/ }).check()
    await page.getByLabel('Tu banco', { exact: true }).selectOption('CO_BANCOLOMBIA')
    await page.getByLabel('Correo').fill('ana@')
    await page.getByRole('button', { name: 'Continuar' }).click()
    await page.getByRole('alert').waitFor()
    assert.equal(await page.locator(':focus').getAttribute('id'), 'name')
    assert.equal(await page.getByLabel('Correo').inputValue(), 'ana@')
  })

  it('pays by Bre-B: sees no dead button, and rechecks with “ya pagué”', async () => {
    await using payer = await openPayer(link({ payin: brebPayin() }), noScript)
    const { page, harness } = payer
    await page.goto(payer.url())
    assert.equal(await page.locator('[data-copy]:visible, [data-share]:visible').count(), 0)
    assert.equal(await page.getByText('@RC7K2M9QX4TB5N').isVisible(), true)
    await page.getByRole('button', { name: 'Ya pagué' }).click()
    await page.getByText('Aún no vemos tu pago').waitFor()
    harness.become(paid)
    await page.getByRole('button', { name: 'Ya pagué' }).click()
    await sees(payer, 'Pago aprobado')
    assert.equal(
      await page.getByRole('link', { name: 'Volver a Café La Palma' }).getAttribute('href'),
      CALLBACK_URL,
    )
    assert.equal(await page.locator('[data-return]:visible, [data-print]:visible').count(), 0)
  })
})

describe('a waiting page', () => {
  it('changes by itself when the payment does, in every tab', async () => {
    await using payer = await openPayer(link({ payin: brebPayin() }))
    const second = await payer.page.context().newPage()
    for (const page of [payer.page, second]) await page.goto(payer.url())
    while (payer.harness.watching() < 2) await payer.page.waitForTimeout(20)
    payer.harness.become(paid)
    await sees(payer, 'Pago aprobado')
    await payer.page.locator('[data-return]').waitFor()
    await second.getByRole('heading', { name: 'Pago aprobado' }).waitFor()
    assert.deepEqual(payer.complaints, [])
  })

  it('polls if there is no stream', async () => {
    await using payer = await openPayer(link({ payin: brebPayin() }))
    await payer.page.route(/\/stream/, (route) => route.abort())
    await payer.page.goto(payer.url())
    await payer.page.waitForRequest(/\/status$/)
    payer.harness.become(paid)
    await sees(payer, 'Pago aprobado')
  })

  it('polls at once when the payer comes back from their bank’s app', async () => {
    await using payer = await openPayer(link({ payin: brebPayin() }))
    const { page, harness } = payer
    await page.goto(payer.url())
    while (harness.watching() === 0) await page.waitForTimeout(20)
    // No notification reaches the page: the signal was lost.
    harness.subjects.set(harness.subjects.keys().next().value as string, paid)
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
    await sees(payer, 'Pago aprobado')
  })

  it('shows a countdown only in the last fifth of its time', async () => {
    const minute = 60_000
    const calm = brebPayin({ createdAt: NOW - 2 * minute, expiresAt: NOW + 13 * minute })
    const ending = brebPayin({ createdAt: NOW - 13 * minute, expiresAt: NOW + 2 * minute })
    await using payer = await openPayer()
    for (const [name, payin, count] of [
      ['calm', calm, 0],
      ['ending', ending, 1],
    ] as const) {
      payer.harness.subjects.set(name, link({ payin }))
      await payer.page.goto(payer.url('', name))
      await payer.page.getByRole('button', { name: 'Copiar Llave' }).waitFor()
      assert.equal(await payer.page.getByRole('timer').count(), count)
      if (count === 1) assert.match(await payer.page.getByRole('timer').innerText(), /(2:00|1:5\d)$/)
    }
  })
})

describe('the way to the bank and back', () => {
  it('leads from the form to the bank, and “back” leads to a page that does not forward again', async () => {
    await using payer = await openPayer(link({ customer: CUSTOMER }))
    const { page, harness } = payer
    await page.goto(payer.url())
    await page.getByRole('radio', { name: /PSE/ }).check()
    await page.getByLabel('Tu banco', { exact: true }).selectOption('CO_BANCOLOMBIA')
    harness.answers.begin = () => {
      harness.become(link({ payin: preparing }))
      return 'begun'
    }
    await page.getByRole('button', { name: 'Continuar' }).click()
    await sees(payer, 'Conectando con Bancolombia')
    while (harness.watching() === 0) await page.waitForTimeout(20)
    harness.become(link({ payin: psePayin() }))
    await page.waitForURL(BANK_URL)

    await page.goBack()
    await sees(payer, 'Tienes un pago abierto con PSE')
    assert.equal(
      await page.getByRole('link', { name: 'Continuar en Bancolombia' }).getAttribute('href'),
      BANK_URL,
    )

    await page.goto(payer.url('/return?state=OK&amount=1'))
    await sees(payer, 'Tu banco está confirmando el pago')
    while (!harness.asked.some(({ call }) => call === 'recheck')) await page.waitForTimeout(20)
    while (harness.watching() === 0) await page.waitForTimeout(20)
    harness.become(link({ status: 'COMPLETED', payin: psePayin(confirmed) }))
    await sees(payer, 'Pago aprobado')
    assert.deepEqual(payer.complaints, [])
  })

  it('of an API payin forwards at once', async () => {
    await using payer = await openPayer(link({ kind: 'payin', payin: psePayin() }))
    await payer.page.goto(payer.url(), { waitUntil: 'commit' })
    await payer.page.waitForURL(BANK_URL)
  })
})

describe('a button', () => {
  it('pressed twice sends once', async () => {
    await using payer = await openPayer(link({ customer: CUSTOMER }))
    const { page, harness } = payer
    harness.answers.begin = () => {
      harness.become(link({ payin: brebPayin() }))
      return 'begun'
    }
    await page.goto(payer.url())
    let posts = 0
    page.on('request', (request) => {
      if (request.method() === 'POST') posts++
    })
    await page.getByRole('button', { name: 'Continuar' }).dblclick()
    await sees(payer, 'Paga con Bre-B')
    assert.equal(posts, 1)
  })

  for (const clipboard of ['new', 'old'])
    it(`copies key and amount by the ${clipboard} clipboard, and says so`, async () => {
      await using payer = await openPayer(link({ payin: brebPayin() }), {
        permissions: ['clipboard-read', 'clipboard-write'],
      })
      const { page } = payer
      if (clipboard === 'old')
        await page.addInitScript(`navigator.clipboard.writeText = () => Promise.reject(new Error('no'))`)
      await page.goto(payer.url())
      for (const [name, text] of [
        ['Copiar llave', '@RC7K2M9QX4TB5N'],
        ['Copiar Valor exacto', '80000'],
      ] as const) {
        await page.getByRole('button', { name }).click()
        await page.getByRole('button', { name: 'Copiado' }).first().waitFor()
        assert.equal(await page.evaluate('navigator.clipboard.readText()'), text)
        assert.equal(await page.locator('p.heard').textContent(), 'Copiado')
        await page.getByRole('button', { name }).waitFor()
      }
    })
})

describe('“Compartir”', () => {
  const shared = async (canShareFiles: boolean): Promise<unknown> => {
    await using payer = await openPayer(link({ payin: brebPayin() }))
    const { page } = payer
    const given = Promise.withResolvers<unknown>()
    await page.exposeFunction('handOver', given.resolve)
    await page.addInitScript(`
      navigator.canShare = () => ${canShareFiles}
      navigator.share = async ({ files = [], url }) =>
        handOver({ ...(url && { url }), files: files.map(({ name, type, size }) => [name, type, size > 100]) })`)
    await page.goto(payer.url('?step=checked'))
    await page.getByRole('button', { name: 'Compartir' }).click()
    const shown = await given.promise
    assert.deepEqual(payer.complaints, [])
    return shown
  }

  it('hands the code on as an image, or the address where the browser takes no files', async () => {
    assert.deepEqual(await shared(true), { files: [['bre-b.png', 'image/png', true]] })
    const { url, files } = (await shared(false)) as { url: string; files: [] }
    assert.deepEqual([url, files], [`/pay/${TOKEN}`, []])
  })

  it('is not there where the browser cannot, and “Guardar” then has the room', async () => {
    await using payer = await openPayer(link({ payin: brebPayin() }))
    const { page } = payer
    await page.addInitScript('Object.defineProperty(navigator, "share", { value: undefined })')
    await page.goto(payer.url())
    await page.getByRole('button', { name: 'Copiar llave' }).waitFor()
    assert.equal(await page.locator('[data-share]:visible').count(), 0)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Guardar' }).click(),
    ])
    assert.equal(download.suggestedFilename(), 'bre-b.png')
  })
})

describe('the way back to the merchant', () => {
  const countdown = '[data-return]'

  it('is taken after a countdown, and a payer who meets a dead page there can come back', async () => {
    await using payer = await openPayer(paid)
    const { page } = payer
    await page.route(/shop\.example/, (route) => route.fulfill({ status: 502, body: 'dead' }))
    // Intervals run twenty times faster.
    await page.addInitScript(
      'const real = setInterval; window.setInterval = (call, ms) => real(call, ms / 20)',
    )
    await page.goto(payer.url())
    await page.waitForURL(CALLBACK_URL)
    await page.goBack()
    await sees(payer, 'Pago aprobado')
    assert.equal(await page.locator(countdown).isVisible(), false)
  })

  it('is not taken by itself once the payer has chosen to stay', async () => {
    await using payer = await openPayer(paid)
    const { page } = payer
    await page.clock.install()
    await page.goto(payer.url())
    await page.clock.runFor(5_000)
    assert.match(await page.locator(countdown).innerText(), /en 15\ss/)
    await page.getByRole('button', { name: 'Quedarme aquí' }).click()
    await page.clock.runFor(60_000)
    await sees(payer, 'Pago aprobado')
    assert.deepEqual(await axeViolations(page), [])
  })
})
