// Field rules that several requests share and a schema cannot express: a known bank, a valid document number, a
// callback address that production accepts. Values of the wrong type are skipped, because the schema already reports
// them.

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
