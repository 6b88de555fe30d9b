import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPseBank, findPseBankByAchCode, pseBanks } from '../../../src/core/directory/pse-bank.ts'

test('no code and no alias names two banks', () => {
  const owners = new Map<string, string>()
  for (const bank of pseBanks(true)) {
    for (const code of [bank.code, ...bank.aliases]) {
      assert.equal(owners.get(code), undefined, `${code} names ${owners.get(code)} and ${bank.code}`)
      owners.set(code, bank.code)
    }
  }
})

test('every code and every alias finds its bank', () => {
  for (const bank of pseBanks(true)) {
    for (const code of [bank.code, ...bank.aliases]) assert.equal(findPseBank(code, true), bank, code)
  }
})

test('a number of the network finds its bank, offered or not, and the test bank only where it is wanted', () => {
  for (const bank of pseBanks(false)) assert.equal(findPseBankByAchCode(bank.achCode ?? '', false), bank)
  assert.equal(findPseBankByAchCode('1802', false)?.code, 'CO_DING')
  assert.equal(findPseBankByAchCode('1022', true)?.code, 'CO_BANCO_DE_PRUEBAS')
  assert.equal(findPseBankByAchCode('1022', false), undefined)
  for (const unknown of ['', '0', '1', '007', 'null'])
    assert.equal(findPseBankByAchCode(unknown, true), undefined)
})

test('codes, names and ACH numbers are well formed and each is used once', () => {
  const banks = pseBanks(true)
  for (const { code, achCode, aliases } of banks) {
    assert.match(achCode ?? '', /^1\d{3}$/)
    for (const known of [code, ...aliases]) assert.match(known, /^CO_[A-Z0-9]+(_[A-Z0-9]+)*$/)
  }
  assert.equal(new Set(banks.map((bank) => bank.achCode)).size, banks.length)
  assert.equal(new Set(banks.map((bank) => bank.name)).size, banks.length)
  assert.equal(pseBanks(false).length, 44)
})

test('a bank is found by the names people give it', () => {
  const found: [written: string, code: string][] = [
    ['CO_BANCO_DE_BOGOTA', 'CO_BANCO_DE_BOGOTA'],
    ['CO_BANCO_BOGOTA', 'CO_BANCO_DE_BOGOTA'],
    ['CO_BOGOTA', 'CO_BANCO_DE_BOGOTA'],
    ['CO_CAJA_SOCIAL', 'CO_BANCO_CAJA_SOCIAL'],
    ['CO_BANCO_DAVIVIENDA', 'CO_DAVIVIENDA'],
    ['CO_BANCO_BBVA', 'CO_BBVA'],
    ['CO_BANCO_BBVA_COLOMBIA', 'CO_BBVA'],
    ['CO_CREDIFINANCIERA', 'CO_BAN100'],
    ['CO_BANCO_CREDIFINANCIERA', 'CO_BAN100'],
    ['CO_HELM_BANK', 'CO_ITAU'],
    ['CO_BANCO_CORPBANCA', 'CO_ITAU'],
    ['CO_NUBANK', 'CO_NU'],
    ['CO_GIROS_Y_FINANZAS', 'CO_BANCO_UNION'],
    ['CO_COOMEVA', 'CO_BANCOOMEVA'],
    ['CO_COOPCENTRAL_DIGITAL', 'CO_COOPCENTRAL'],
    ['CO_JURISCOOP', 'CO_FINANCIERA_JURISCOOP'],
    ['CO_CORPBANCA', 'CO_ITAU'],
    ['CO_ITAU_CORPBANCA', 'CO_ITAU'],
    ['CO_HELM', 'CO_ITAU'],
    ['CO_COLPATRIA', 'CO_SCOTIABANK_COLPATRIA'],
    ['CO_BANCO_AGRARIO_DE_COLOMBIA', 'CO_BANCO_AGRARIO'],
    ['CO_BANCO_SANTANDER_COLOMBIA', 'CO_BANCO_SANTANDER'],
    ['CO_BANCO_COOPERATIVO_COOPCENTRAL', 'CO_COOPCENTRAL'],
    ['CO_LULO', 'CO_LULO_BANK'],
    ['CO_JP_MORGAN_COLOMBIA', 'CO_JP_MORGAN'],
    ['CO_NU_COLOMBIA', 'CO_NU'],
    ['CO_ALIANZA', 'CO_ALIANZA_FIDUCIARIA'],
    ['CO_ADDI', 'CO_ADDI_CF'],
  ]
  for (const [written, code] of found) assert.equal(findPseBank(written, false)?.code, code, written)
})

test('an unknown bank, another case or an inherited property name is not found', () => {
  for (const code of [
    '',
    'CO_',
    'CO_BANCO_',
    'co_bancolombia',
    'BANCOLOMBIA',
    '1007',
    'constructor',
    '__proto__',
  ]) {
    assert.equal(findPseBank(code, true), undefined, code)
  }
})

test('banks not seen on PSE are not offered, and accepted only if another service has them', () => {
  for (const code of ['CO_BANCOLDEX', 'CO_BANCO_W', 'CO_MIBANCO', 'CO_PIBANK'])
    assert.equal(findPseBank(code, true), undefined, code)
  for (const [code, achCode] of [
    ['CO_FINANCIERA_JURISCOOP', '1121'],
    ['CO_JURISCOOP', '1121'],
    ['CO_DING', '1802'],
    ['CO_POWWI', '1803'],
    ['CO_BOLD', '1808'],
    ['CO_BOLD_CF', '1808'],
    ['CO_COINK', '1812'],
    ['CO_SANTANDER_CONSUMER', '1813'],
    ['CO_GLOBAL66', '1814'],
    ['CO_ACCION_FIDUCIARIA', null],
    ['CO_ADDI_CF', null],
    ['CO_ADDI', null],
    ['CO_BANKA', null],
    ['CO_PAYCASH', null],
    ['CO_SUPERDIGITAL', null],
  ] as const) {
    const bank = findPseBank(code, false)
    assert.deepEqual([bank?.isListed, bank?.achCode], [false, achCode], code)
    assert.ok(!pseBanks(true).some((bank) => [bank.code, ...bank.aliases].includes(code)), code)
  }
})

test('the test bank exists only where tests are allowed', () => {
  assert.equal(findPseBank('CO_BANCO_DE_PRUEBAS', true)?.testOnly, true)
  assert.equal(findPseBank('CO_BANCO_DE_PRUEBAS', false), undefined)
  assert.equal(findPseBank('CO_PRUEBAS', false), undefined)
  assert.deepEqual(
    pseBanks(true).filter((bank) => !pseBanks(false).includes(bank)),
    [findPseBank('CO_BANCO_DE_PRUEBAS', true)],
  )
})

test('banks are listed from A to Z, accents and case aside', () => {
  const plain = (name: string) => name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  const names = pseBanks(true).map((bank) => plain(bank.name))
  assert.deepEqual(names, [...names].sort())
  assert.equal(names[0], 'alianza fiduciaria')
})

test('the most used banks can be put first', () => {
  const mostUsed = pseBanks(false).filter((bank) => bank.mostUsed)
  for (const code of [
    'CO_BANCOLOMBIA',
    'CO_NEQUI',
    'CO_DAVIVIENDA',
    'CO_DAVIPLATA',
    'CO_BANCO_DE_BOGOTA',
    'CO_BBVA',
    'CO_NU',
  ]) {
    assert.ok(
      mostUsed.some((bank) => bank.code === code),
      code,
    )
  }
  assert.ok(mostUsed.length <= 8)
})

test('changing a returned list does not change the next one', () => {
  assert.throws(() => (pseBanks(true) as unknown[]).pop())
  assert.throws(() => (pseBanks(false) as unknown[]).pop())
})
