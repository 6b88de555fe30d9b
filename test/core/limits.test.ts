// The limits that people and programs meet, written out again: whoever moves one must mean it.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { MAX_APPROVERS, MAX_TIERS } from '../../src/core/approvals/rule.ts'
import { MAX_DEPOSITED_CENTS, MAX_MOVEMENT_CENTS } from '../../src/core/connections/movement.ts'
import { EMAIL_MAX_LENGTH, NAME_MAX_LENGTH } from '../../src/core/contact.ts'
import { KEY_MAX_LENGTH } from '../../src/core/directory/breb-key.ts'
import { MAX_ID_NUMBER_LENGTH } from '../../src/core/identity-document.ts'
import { ALARM_STORM_SIZE } from '../../src/core/ledger/alarm-telling.ts'
import { CANDIDATE_WINDOW, MAX_CANDIDATES } from '../../src/core/ledger/suspense-candidate.ts'
import {
  LOGO_MAX_LENGTH,
  LOGO_PATTERN,
  MAX_ALARM_EMAILS,
  PAYIN_EXPIRY_MINUTES,
} from '../../src/core/organizations/organization.ts'
import { MAX_OPEN_LINKS, MAX_PIECES_PER_PAYMENT } from '../../src/core/payment-pages/payment-page.ts'
import { MAX_BATCH_ROWS } from '../../src/core/payout-batches/columns.ts'
import { MAX_CSV_BYTES } from '../../src/core/payout-batches/csv-table.ts'
import { MAX_FILE_BYTES, readPayoutFile } from '../../src/core/payout-batches/read-file.ts'
import { REFERENCE_MAX_LENGTH } from '../../src/core/payout-batches/row.ts'
import { isFileProblem, MAX_CELLS } from '../../src/core/payout-batches/table.ts'
import { DESCRIPTION_MAX_LENGTH, METADATA_LIMITS, METADATA_NAME_PATTERN } from '../../src/core/people/note.ts'
import { DATA_KEY_BYTES, MAX_KEY_VERSION } from '../../src/core/people/seal-text.ts'
import { MAX_CLAIM_ATTEMPTS } from '../../src/core/refunds/refund.ts'
import { SEAL_NONCE_BYTES, SECRETS_KEY_BYTES } from '../../src/core/seal.ts'
import { QUESTION_MAX_LENGTH } from '../../src/core/search/question.ts'
import { MAX_INVITATIONS_A_DAY, MAX_TEAM } from '../../src/core/team/invitation.ts'
import { CHALLENGE_BYTES, MAX_PASSKEYS, PASSKEY_NAME_MAX_LENGTH } from '../../src/core/team/passkey.ts'
import { PASSWORD_LENGTH, SALT_BYTES } from '../../src/core/team/password.ts'
import { RECOVERY_CODES, RECOVERY_RANDOM_BYTES } from '../../src/core/team/recovery-codes.ts'
import {
  MAX_VIEWS_PER_LIST,
  VIEW_NAME_MAX_LENGTH,
  VIEW_QUERY_MAX_LENGTH,
} from '../../src/core/team/saved-view.ts'
import { TOTP_SECRET_BYTES } from '../../src/core/team/totp.ts'
import { BREAKER_FAILURES, FIRST_ATTEMPT_BATCH_SIZE } from '../../src/core/webhooks/delivery.ts'
import { ORIGIN_MAX_LENGTH } from '../../src/core/webhooks/portal-link.ts'
import { HEAD, zip } from './payout-batches/files.ts'

const LIMITS: readonly (readonly [what: string, is: unknown, said: unknown])[] = [
  ['people who approve one thing', MAX_APPROVERS, 2],
  ['tiers of a rule of approvals', MAX_TIERS, 5],
  ['cents of one deposit or withdrawal', MAX_MOVEMENT_CENTS, 10_000_000_000_000],
  ['cents that are deposited', MAX_DEPOSITED_CENTS, 1_000_000_000_000_000n],
  ['characters of a name', NAME_MAX_LENGTH, 120],
  ['characters of an e-mail address', EMAIL_MAX_LENGTH, 254],
  ['characters of a key, as it is written', KEY_MAX_LENGTH, 128],
  ['characters of a document', MAX_ID_NUMBER_LENGTH, 20],
  ['alarms before they are a storm', ALARM_STORM_SIZE, 20],
  ['payins that money may be meant for', MAX_CANDIDATES, 20],
  [
    'milliseconds from a payin to its money',
    CANDIDATE_WINDOW,
    { beforeMs: 604_800_000, afterMs: 86_400_000 },
  ],
  ['characters of a logo', LOGO_MAX_LENGTH, 5_500],
  ['people who are told of alarms', MAX_ALARM_EMAILS, 10],
  ['minutes until a payin expires', PAYIN_EXPIRY_MINUTES, { minimum: 5, default: 15, maximum: 1_440 }],
  ['open links of a page', MAX_OPEN_LINKS, 1_000],
  ['pieces of one payment', MAX_PIECES_PER_PAYMENT, 20],
  ['rows of a batch', MAX_BATCH_ROWS, 5_000],
  ['bytes of a CSV', MAX_CSV_BYTES, 750_000],
  ['bytes of a file', MAX_FILE_BYTES, 4_194_304],
  ['characters of a reference', REFERENCE_MAX_LENGTH, 255],
  ['cells of a file', MAX_CELLS, 150_000],
  ['versions of a data key', MAX_KEY_VERSION, 255],
  ['characters of a description', DESCRIPTION_MAX_LENGTH, 255],
  ['metadata', METADATA_LIMITS, { keys: 20, nameLength: 40, valueLength: 200 }],
  ['tries to name a key', MAX_CLAIM_ATTEMPTS, 12],
  ['characters of a question', QUESTION_MAX_LENGTH, 200],
  ['invitations in a day', MAX_INVITATIONS_A_DAY, 100],
  ['members of a team', MAX_TEAM, 200],
  ['passkeys of a person', MAX_PASSKEYS, 20],
  ['characters of a passkey’s name', PASSKEY_NAME_MAX_LENGTH, 60],
  ['characters of a password', PASSWORD_LENGTH, { min: 12, max: 200 }],
  ['codes for a lost app', RECOVERY_CODES, 10],
  ['views of a list', MAX_VIEWS_PER_LIST, 12],
  ['characters of a view’s name', VIEW_NAME_MAX_LENGTH, 40],
  ['characters of a view', VIEW_QUERY_MAX_LENGTH, 1_000],
  ['failures before an endpoint is probed', BREAKER_FAILURES, 5],
  ['events in a batch of first attempts', FIRST_ATTEMPT_BATCH_SIZE, 100],
  ['characters of an origin', ORIGIN_MAX_LENGTH, 200],
]

describe('there are so many, and no more,', () => {
  for (const [what, is, said] of LIMITS) it(what, () => assert.deepEqual(is, said))
})

it('secrets are drawn with as many bytes as make them impossible to guess', () => {
  assert.deepEqual([SECRETS_KEY_BYTES, DATA_KEY_BYTES, CHALLENGE_BYTES], [32, 32, 32])
  assert.deepEqual(
    [SALT_BYTES, TOTP_SECRET_BYTES, RECOVERY_RANDOM_BYTES, SEAL_NONCE_BYTES],
    [16, 20, 100, 12],
  )
})

it('metadata have plain names, and a logo is an image inside its address', () => {
  const [name, logo] = [new RegExp(METADATA_NAME_PATTERN), new RegExp(LOGO_PATTERN)]
  for (const good of ['a', 'order_id', 'A-1.b']) assert.match(good, name)
  for (const wrong of ['', 'a b', 'ñ', 'a$']) assert.doesNotMatch(wrong, name)
  for (const kind of ['png', 'jpeg', 'gif', 'webp', 'svg+xml'])
    assert.match(`data:image/${kind};base64,AA+/=`, logo)
  for (const wrong of [
    'data:image/bmp;base64,AA',
    'data:image/png;base64,',
    'https://a.example/a.png',
    'data:image/png,AA',
  ])
    assert.doesNotMatch(wrong, logo)
})

describe('a file of payouts', () => {
  const told = (bytes: Buffer | string) => {
    const file = readPayoutFile(Buffer.from(bytes))
    return isFileProblem(file) ? file.fileProblem : 'read'
  }

  it('may have so many lines, separators and bytes as a CSV', () => {
    const lines = (count: number) => told(`${HEAD}${'\n'.repeat(count)}`)
    assert.deepEqual([lines(15_000), lines(15_001)], ['EMPTY_FILE', 'TOO_MANY_ROWS'])
    const returns = (count: number) => told(`${HEAD}${'\r'.repeat(count)}`)
    assert.deepEqual([returns(15_000), returns(15_001)], ['EMPTY_FILE', 'TOO_MANY_ROWS'])
    // Six in the head, and no more than a few thousand in a row.
    const separators = (count: number) =>
      told(`${HEAD}${`\n${';'.repeat(5_000)}`.repeat(19)}\n${';'.repeat(count)}`)
    assert.deepEqual([separators(4_994), separators(4_995)], ['EMPTY_FILE', 'TOO_MANY_CELLS'])
    const bytes = (count: number) =>
      told(Buffer.concat([Buffer.from(`${HEAD}\n"`), Buffer.alloc(count - HEAD.length - 2, 'x')]))
    assert.deepEqual([bytes(750_000), bytes(750_001)], ['UNREADABLE_FILE', 'FILE_TOO_LARGE'])
  })

  it('may have a sheet of eight megabytes, texts of four, and a list of sheets of one', () => {
    const MB = 1_024 * 1_024
    const row = '<row><c t="inlineStr"><is><t>x</t></is></c></row>'
    const padded = (begin: string, end: string, length: number) =>
      Buffer.concat([
        Buffer.from(begin),
        Buffer.alloc(length - begin.length - end.length, ' '),
        Buffer.from(end),
      ])
    const sheet = (length: number) =>
      padded(`<worksheet><sheetData>${row}</sheetData>`, '</worksheet>', length)
    const book = (parts: Record<string, Buffer | string>) =>
      told(zip({ 'xl/worksheets/sheet1.xml': sheet(1_000), ...parts }))
    // It has no columns of ours, which is known only once it is read.
    assert.equal(book({ 'xl/worksheets/sheet1.xml': sheet(8 * MB) }), 'WRONG_LAYOUT')
    assert.equal(book({ 'xl/worksheets/sheet1.xml': sheet(8 * MB + 1) }), 'UNREADABLE_FILE')
    assert.equal(book({ 'xl/sharedStrings.xml': padded('<sst>', '</sst>', 4 * MB) }), 'WRONG_LAYOUT')
    assert.equal(book({ 'xl/sharedStrings.xml': padded('<sst>', '</sst>', 4 * MB + 1) }), 'UNREADABLE_FILE')
    const sheets = (length: number) =>
      book({
        'xl/workbook.xml': padded('<workbook><sheets><sheet r:id="r9"/></sheets>', '</workbook>', length),
        'xl/_rels/workbook.xml.rels':
          '<Relationships><Relationship Id="r9" Target="worksheets/none.xml"/></Relationships>',
      })
    // One that is too long is not looked at, and the first sheet is where it usually is.
    assert.deepEqual([sheets(MB), sheets(MB + 1)], ['UNREADABLE_FILE', 'WRONG_LAYOUT'])
  })
})
