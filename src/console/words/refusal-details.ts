// What a refusal's own sentence tells beyond its code, said in Spanish: how much is missing, how many rows. The API says it in English.

import type { Refusal, RefusalCode } from '../../core/refusal.ts'
import { amountText } from '../format.ts'
import { centsOf } from './decimal.ts'

type Detail = readonly [pattern: RegExp, said: (...found: string[]) => string]

const DETAILS_ES: Readonly<Partial<Record<RefusalCode, readonly Detail[]>>> = {
  BALANCE_TOO_LOW: [
    [
      /needs ([\d.]+) pesos, and ([\d.]+) are available: ([\d.]+) are missing/,
      (needed, held, missing) =>
        `El lote necesita ${pesos(needed)} y hay ${pesos(held)} disponibles: faltan ${pesos(missing)}. No se envió nada.`,
    ],
    [/holds ([\d.]+) pesos/, (held) => `El saldo tiene ${pesos(held)} sin reservar.`],
  ],
  BATCH_NOT_READY: [
    [
      /^(\d+) rows have errors/,
      (count) => `${rows(count, 'tiene', 'tienen')} errores: corrige o excluye lo que está mal.`,
    ],
    [
      /^(\d+) rows have warnings/,
      (count) => `${rows(count, 'tiene', 'tienen')} avisos: léelos y marca que los revisaste.`,
    ],
    [/still being looked up/, () => 'Todavía estamos consultando sus llaves. Intenta en un momento.'],
    [/All of its rows are left out/, () => 'Todas sus filas están excluidas.'],
    [
      /last 30 minutes, and (\d+) were not/,
      (count) =>
        `Tu comercio solo paga a llaves consultadas en los últimos 30 minutos. Consulta otra vez las que faltan (${count}) y luego envía.`,
    ],
    [/None of its rows has failed/, () => 'No queda ninguna fila fallida por reintentar.'],
    [/can be tried again when/, () => 'Se puede reintentar cuando el lote termine.'],
  ],
  TOO_FEW_APPROVERS: [
    [
      /need (\d+) people who may approve; the team has (\d+)/,
      (needed, able) =>
        `Estas reglas necesitan ${needed} personas que puedan aprobar, y tu equipo tiene ${able}. Dale a más gente un rol que apruebe, o pide menos.`,
    ],
  ],
}

// Undefined: what its code says in general is all that we can say in Spanish.
export function detailInSpanish({ refused, detail }: Refusal): string | undefined {
  for (const [pattern, said] of DETAILS_ES[refused] ?? []) {
    const found = pattern.exec(detail)
    if (found !== null) return said(...found.slice(1))
  }
  return undefined
}

function pesos(written = '0'): string {
  return amountText(centsOf(written), 'es')
}

function rows(count: string | undefined, one: string, many: string): string {
  return count === '1' ? `Una fila ${one}` : `${count} filas ${many}`
}
