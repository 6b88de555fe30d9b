// Rules about fields that several requests have and that a schema cannot say: a bank that exists, a document number that can
// be one, an address that production accepts. What has the wrong type was told by the schema already.

import { findPseBank } from '../../core/directory/pse-bank.ts'
import { documentNumberProblem, type IdType } from '../../core/identity-document.ts'
import type { FieldProblem } from '../../core/refusal.ts'
import type { Context } from '../../flows/context.ts'

export function bankProblems(ctx: Context, bank: unknown): FieldProblem[] {
  if (typeof bank !== 'string' || findPseBank(bank, ctx.settings.environment === 'staging') !== undefined)
    return []
  const message = `is not a PSE bank; ${ctx.settings.publicUrl}/pse/banks lists them`
  return [{ path: '/pse/bank', code: 'UNKNOWN_BANK', message }]
}

export function documentProblems(
  customer: { idType?: unknown; idNumber?: unknown } | undefined,
): FieldProblem[] {
  const { idType, idNumber } = customer ?? {}
  if (typeof idType !== 'string' || typeof idNumber !== 'string') return []
  const message = documentNumberProblem(idType as IdType, idNumber)
  return message === undefined ? [] : [{ path: '/inlineCustomer/idNumber', code: 'WRONG_FORMAT', message }]
}

export function callbackProblems(ctx: Context, callbackUrl: unknown): FieldProblem[] {
  return ctx.settings.environment === 'production' &&
    typeof callbackUrl === 'string' &&
    !/^https:/i.test(callbackUrl)
    ? [{ path: '/callbackUrl', code: 'WRONG_FORMAT', message: 'must be an https address' }]
    : []
}
