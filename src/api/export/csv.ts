// A table as CSV, as Excel in Colombia reads it: with a mark that says UTF-8, semicolons, and a comma for decimals. In English the
// comma separates. What a spreadsheet would take for a formula is made text, and what it would take for a number or a date, such
// as a document with leading zeros, stays as it was written.

import { BOGOTA_OFFSET_MS } from '../../core/bogota-day.ts'
import type { Instant } from '../../core/instant.ts'
import { centsToDecimal } from '../../core/money.ts'
import { looksLikeFormula } from '../../core/payout-batches/formula-text.ts'
import type { UserLanguage } from '../../core/team/user.ts'
import type { FileValue } from './file-value.ts'

export const BYTE_ORDER_MARK = '\ufeff'

export function csvLine(values: readonly FileValue[], language: UserLanguage): string {
  const separator = language === 'es' ? ';' : ','
  return `${values.map((value) => cell(value, language)).join(separator)}\r\n`
}

function cell(value: FileValue, language: UserLanguage): string {
  if ('text' in value) return value.text === null ? '' : textCell(value.text)
  if ('cents' in value) return value.cents === null ? '' : decimal(centsToDecimal(value.cents), language)
  if ('time' in value) return value.time === null ? '' : localTime(value.time)
  return value.number === null ? '' : String(value.number)
}

function decimal(text: string, language: UserLanguage): string {
  return language === 'es' ? text.replace('.', ',') : text
}

// 2026-11-15 07:00:04, in Bogotá. Every spreadsheet reads it as a time, in every country.
export function localTime(instant: Instant): string {
  return new Date(instant - BOGOTA_OFFSET_MS).toISOString().slice(0, 19).replace('T', ' ')
}

// Digits and their marks alone would be read as a number or a date: zeros in front and long numbers would be lost.
const LOOKS_LIKE_NUMBER = /^(?=.*\d)[\d.,:/\- ]+$/

function textCell(text: string): string {
  if (looksLikeFormula(text)) return quoted(`'${text}`)
  return LOOKS_LIKE_NUMBER.test(text) ? `"=""${text}"""` : quoted(text)
}

function quoted(text: string): string {
  return /[";,\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text
}
