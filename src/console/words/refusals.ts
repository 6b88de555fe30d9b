// Refusals of the API in words for people. In English the API's own sentence is said. In Spanish each code has its own.

import { REFUSALS_ES } from '../../api/openapi/errors-es.ts'
import type { FieldCode, FieldProblem, Refusal, RefusalCode } from '../../core/refusal.ts'
import { amountText } from '../format.ts'
import type { Setting } from '../setting.ts'
import { detailInSpanish } from './refusal-details.ts'

export function problemText({ language }: Pick<Setting, 'language'>, problem: FieldProblem): string {
  if (language === 'en') return sentence(problem.message)
  const known = FIELDS_ES[problem.code]
  if (known !== undefined) return known(problem.message)
  return plain(REFUSALS_ES[problem.code as RefusalCode] ?? problem.message)
}

// What is typed in pesos is limited in pesos. The API counts cents.
export function moneyProblemText(setting: Pick<Setting, 'language'>, problem: FieldProblem): string {
  const { language } = setting
  const [, side, limit] = /(at least|at most) (\d+)/.exec(problem.message) ?? []
  if (limit === undefined) return problemText(setting, problem)
  const amount = amountText(BigInt(limit), language)
  if (language === 'en') return `Must be ${side} ${amount}.`
  return `Debe ser ${side === 'at least' ? 'al menos' : 'máximo'} ${amount}.`
}

export function refusalText({ language }: Pick<Setting, 'language'>, refusal: Refusal): string {
  if (language === 'en') return sentence(plain(refusal.detail))
  return detailInSpanish(refusal) ?? withDetail(REFUSALS_ES[refusal.refused], refusal.detail)
}

// A page has no field called detail. What ours would say there is said as the API says it.
function withDetail(text: string, detail: string): string {
  if (!text.includes('`detail`')) return plain(text)
  return `${plain(text.replaceAll('`detail`', 'El detalle'))} Detalle: ${sentence(plain(detail))}`
}

// The API's messages end a sentence that begins with the field: "must be at least 1".
const FIELDS_ES: Readonly<Partial<Record<FieldCode, (message: string) => string>>> = {
  REQUIRED: () => 'Escribe este dato.',
  WRONG_TYPE: () => 'Este dato no tiene la forma que se espera.',
  OUT_OF_RANGE: (message) => limited(message, 'Debe ser', ''),
  WRONG_LENGTH: (message) => limited(message, 'Debe tener', ' caracteres'),
  WRONG_FORMAT: () => 'Revisa cómo está escrito.',
  NOT_ALLOWED: () => 'Elige uno de los valores de la lista.',
}

function limited(message: string, verb: string, unit: string): string {
  const [, side, limit] = /(at least|at most) (\d+)/.exec(message) ?? []
  if (limit === undefined) return 'Revisa este dato.'
  return `${verb} ${side === 'at least' ? 'al menos' : 'máximo'} ${limit}${unit}.`
}

function sentence(message: string): string {
  const begun = message.slice(0, 1).toUpperCase() + message.slice(1)
  return /[.!?]$/.test(begun) ? begun : `${begun}.`
}

function plain(text: string): string {
  return text.replaceAll('`', '')
}
