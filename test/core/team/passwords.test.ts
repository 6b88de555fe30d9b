// Passwords and what goes with them: which are accepted, how they are stored, codes of an authenticator app, recovery codes, and
// the e-mail address of an account.

import assert from 'node:assert/strict'
import { argon2Sync, randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { base32, CROCKFORD, RFC_4648 } from '../../../src/core/team/base32.ts'
import { accountEmail } from '../../../src/core/team/email.ts'
import {
  hashPassword,
  isPassword,
  NOBODYS_HASH,
  PASSWORD_LENGTH,
  passwordProblem,
} from '../../../src/core/team/password.ts'
import {
  RECOVERY_RANDOM_BYTES,
  recoveryCodes,
  recoveryDigest,
} from '../../../src/core/team/recovery-codes.ts'
import { stepOfCode, totpCode, totpEnrollment } from '../../../src/core/team/totp.ts'

describe('a password', () => {
  const EMAIL = 'ana.maria.gomez@cafe.example'

  it('has twelve characters at least, few of them alike, and is not the e-mail address', () => {
    assert.equal(passwordProblem('correct horse', EMAIL), undefined)
    assert.equal(passwordProblem('elevencharacters'.slice(0, 11), EMAIL), 'TOO_SHORT')
    assert.equal(
      passwordProblem(`${'🦜'.repeat(6)}abcde`, EMAIL),
      'TOO_SHORT',
      'characters, not their halves',
    )
    assert.equal(passwordProblem(`abcdefghij${'e\u0301'}`, EMAIL), 'TOO_SHORT', 'an accent is no letter')
    assert.equal(passwordProblem('abababababababab', EMAIL), 'TOO_SIMPLE')
    assert.equal(passwordProblem(' '.repeat(40), EMAIL), 'TOO_SIMPLE')
    assert.equal(passwordProblem(' Ana.Maria.Gomez@Cafe.Example ', EMAIL), 'IS_EMAIL')
    assert.equal(passwordProblem('ANA.MARIA.GOMEZ', EMAIL), 'IS_EMAIL')
    const long = 'abcdefgh'.repeat(PASSWORD_LENGTH.max / 8)
    assert.equal(passwordProblem(long, EMAIL), undefined)
    assert.equal(passwordProblem(`${long}a`, EMAIL), 'TOO_LONG')
    assert.equal(passwordProblem('ab'.repeat(1_000_000), EMAIL), 'TOO_LONG')
    // Letters that are typed in three parts are one character each, and are looked at up to twice the length.
    const composed = (characters: number) => 's\u0323\u0307'.repeat(characters)
    assert.equal(passwordProblem(`${composed(100)}abcdef`, EMAIL), undefined)
    assert.equal(passwordProblem(`${composed(131)}abcdefg`, EMAIL), undefined)
    assert.equal(passwordProblem(`${composed(140)}abcdef`, EMAIL), 'TOO_LONG')
  })

  it('is stored as argon2id of 19 MiB, two passes, one lane, in its usual text form', async () => {
    const salt = Buffer.from('somesaltsomesalt')
    const stored = await hashPassword('password', salt)
    const hash = argon2Sync('argon2id', {
      message: Buffer.from('password'),
      nonce: salt,
      memory: 19 * 1_024,
      passes: 2,
      parallelism: 1,
      tagLength: 32,
    })
    const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
    assert.equal(stored, `$argon2id$v=19$m=19456,t=2,p=1$${text(salt)}$${text(hash)}`)
  })

  it('is known again however its letters are composed, and no other is', async () => {
    const stored = await hashPassword('contraseña café', randomBytes(16))
    assert.equal(await isPassword('contraseña café', stored), true)
    assert.equal(await isPassword('contraseña café'.normalize('NFD'), stored), true)
    for (const other of ['contraseña cafe', 'contraseña café ', '', 'x'.repeat(100_000)])
      assert.equal(await isPassword(other, stored), false)
    assert.equal(await isPassword('', NOBODYS_HASH), false)
  })

  it('that is stored in another form is a bug, not a wrong password', async () => {
    for (const stored of ['', 'password', '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA'])
      await assert.rejects(isPassword('password', stored), /no form that we write/)
  })
})

describe('argon2id', () => {
  it('is that of RFC 9106', () => {
    const hash = argon2Sync('argon2id', {
      message: Buffer.alloc(32, 1),
      nonce: Buffer.alloc(16, 2),
      secret: Buffer.alloc(8, 3),
      associatedData: Buffer.alloc(12, 4),
      memory: 32,
      passes: 3,
      parallelism: 4,
      tagLength: 32,
    })
    assert.equal(hash.toString('hex'), '0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659')
  })
})

describe('a code of an authenticator app', () => {
  const SECRET = Buffer.from('12345678901234567890')
  const STEP_MS = 30_000

  // RFC 6238, appendix B: the last six of its eight digits.
  const VECTORS: readonly [seconds: number, digits: string][] = [
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ]
  for (const [seconds, digits] of VECTORS)
    it(`at ${seconds} s is that of RFC 6238`, () => {
      const step = Math.floor(seconds / 30)
      assert.equal(totpCode(SECRET, step), digits.slice(2))
      assert.equal(stepOfCode(SECRET, digits.slice(2), seconds * 1_000, 0), step)
    })

  it('works in its step, the one before and the one after, and once', () => {
    const now = 1_800_000_000_000
    const step = now / STEP_MS
    const typed = totpCode(SECRET, step)
    for (const away of [-1, 0, 1]) assert.equal(stepOfCode(SECRET, typed, now + away * STEP_MS, 0), step)
    assert.equal(stepOfCode(SECRET, typed, now + STEP_MS * 2 - 1, 0), step)
    for (const away of [-2, 2, 100])
      assert.equal(stepOfCode(SECRET, typed, now + away * STEP_MS, 0), undefined)
    assert.equal(stepOfCode(SECRET, typed, now, step), undefined, 'used')
    assert.equal(stepOfCode(SECRET, typed, now, step + 1), undefined, 'a later one was used')
    assert.equal(stepOfCode(SECRET, typed, now, step - 1), step)
  })

  it('may be typed in two groups, and nothing else is a code', () => {
    const now = 1_800_000_000_000
    const code = totpCode(SECRET, now / STEP_MS)
    assert.equal(stepOfCode(SECRET, ` ${code.slice(0, 3)} ${code.slice(3)} `, now, 0), now / STEP_MS)
    for (const typed of [
      '',
      code.slice(1),
      `${code}0`,
      '１２３４５６',
      'abcdef',
      '0x1234',
      '9'.repeat(1_000_000),
    ])
      assert.equal(stepOfCode(SECRET, typed, now, 0), undefined)
  })

  it('is set up by an address that apps read', () => {
    const { uri, typed } = totpEnrollment(SECRET, 'ana+1@café.example')
    assert.equal(typed, 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
    const url = new URL(uri)
    assert.equal(url.protocol, 'otpauth:')
    assert.equal(decodeURIComponent(url.pathname), '/Recaudo:ana+1@café.example')
    assert.deepEqual(Object.fromEntries(url.searchParams), { secret: typed, issuer: 'Recaudo' })
  })
})

describe('recovery codes', () => {
  it('are ten, different, and known however they are typed', () => {
    const codes = recoveryCodes(randomBytes(RECOVERY_RANDOM_BYTES))
    assert.equal(codes.length, 10)
    assert.equal(new Set(codes).size, 10)
    for (const code of codes) {
      assert.match(code, /^(?:[0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/)
      const digest = recoveryDigest(code)
      for (const typed of [
        code.toLowerCase(),
        code.replaceAll('-', ' '),
        code.replaceAll('0', 'o').replaceAll('1', 'l'),
      ])
        assert.deepEqual(recoveryDigest(typed), digest)
      assert.notDeepEqual(recoveryDigest(code.slice(1)), digest)
    }
  })
})

describe('base32', () => {
  it('is that of RFC 4648', () => {
    const said = ['', 'MY', 'MZXQ', 'MZXW6', 'MZXW6YQ', 'MZXW6YTB', 'MZXW6YTBOI']
    for (const [length, text] of said.entries())
      assert.equal(base32(Buffer.from('foobar'.slice(0, length)), RFC_4648), text)
    assert.equal(base32(Buffer.alloc(10, 255), CROCKFORD), 'Z'.repeat(16))
  })
})

describe('the e-mail address of an account', () => {
  it('has one form, however it is typed', () => {
    for (const typed of ['Ana@Cafe.Example', '  ana@cafe.example ', 'ANA@CAFE.EXAMPLE'])
      assert.equal(accountEmail(typed), 'ana@cafe.example')
    assert.equal(accountEmail('jose\u0301@café.example'), 'josé@café.example')
    assert.equal(accountEmail('mi\u212ae@cafe.example'), 'mike@cafe.example', 'the Kelvin sign is a K')
    for (const email of ['josé@café.example', 'ana@cafe.example']) assert.equal(accountEmail(email), email)
  })

  it('holds nothing that nobody sees, and is no longer than an address', () => {
    for (const typed of [
      '',
      'ana',
      'ana@',
      'ana@cafe',
      'a\u200bna@cafe.example',
      'ana\u00ad@cafe.example',
      'ana\u202e@cafe.example',
      'an\u0000a@cafe.example',
      'ana\u0336@cafe.example',
      '\ud800ana@cafe.example',
      'İana@cafe.example',
      'ana@cafe.example, eva@cafe.example',
      `${'a'.repeat(65)}@cafe.example`,
      `ana@${'a.'.repeat(150)}example`,
      'x'.repeat(10_000_000),
    ])
      assert.equal(accountEmail(typed), undefined, typed.slice(0, 30))
  })
})
