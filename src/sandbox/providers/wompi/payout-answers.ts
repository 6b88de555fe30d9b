// How Wompi's payouts answer: what was asked for, in an envelope or bare, or a refusal with its code.

import { drawnHex } from '../../faults.ts'
import type { Answer } from '../../http.ts'
import type { ProviderContext, ProviderRequest } from '../provider.ts'

export type RefusalCode =
  | 'BALANCE'
  | 'DAILY_LIMIT'
  | 'KEY_USED'
  | 'KEY_FORMAT'
  | 'KEY_UNKNOWN'
  | 'KEY_INACTIVE'
  | 'KEY_UNAVAILABLE'
  | 'KEY_TIMEOUT'

export const REFUSALS: Readonly<Record<RefusalCode, { status: number; code: string; message: string }>> = {
  BALANCE: { status: 400, code: 'EXC_008', message: 'La cuenta no tiene saldo suficiente' },
  DAILY_LIMIT: { status: 400, code: 'EXC_017', message: 'Se supera el límite diario' },
  KEY_USED: { status: 409, code: 'EXC_032', message: 'La llave de idempotencia ya fue usada' },
  KEY_FORMAT: { status: 400, code: 'EXC_033', message: 'El formato de la llave no es válido' },
  KEY_UNKNOWN: { status: 404, code: 'EXC_034', message: 'La llave no está registrada' },
  KEY_INACTIVE: { status: 400, code: 'EXC_035', message: 'La llave está inactiva' },
  KEY_UNAVAILABLE: { status: 503, code: 'EXC_036', message: 'El servicio de llaves no está disponible' },
  KEY_TIMEOUT: { status: 503, code: 'EXC_037', message: 'El servicio de llaves no respondió a tiempo' },
}

export function refusal(name: RefusalCode): Answer {
  const { status, code, message } = REFUSALS[name]
  return { status, json: { code, message } }
}

// The codes of all other refusals are not published. This one is nobody's, so no caller can depend on it.
const UNPUBLISHED_CODE = 'EXC_000'

export const otherRefusal = (status: number, message: string): Answer => ({
  status,
  json: { code: UNPUBLISHED_CODE, message },
})

export const notFound = (): Answer => otherRefusal(404, 'No existe')

/** What was made: always in an envelope. */
export const made = (context: ProviderContext, request: ProviderRequest, data: unknown): Answer =>
  enveloped(context, request, 201, data)

/** What was read. Some reads come without an envelope, and which ones is not published: so the path and the seed decide. */
export const read = (context: ProviderContext, request: ProviderRequest, data: unknown): Answer =>
  context.faults.number(pathOf(request), 'wompi-payouts bare') < 0.5
    ? { status: 200, json: data }
    : enveloped(context, request, 200, data)

function enveloped(
  { storage, faults }: ProviderContext,
  request: ProviderRequest,
  status: number,
  data: unknown,
): Answer {
  const path = `${request.method} ${pathOf(request)}`
  const trace = drawnUuid(faults.seed, 'trace', path, String(storage.countStep(path, 'trace')))
  return {
    status,
    json: {
      status,
      code: status === 201 ? 'CREATED' : 'OK',
      message: 'Operación exitosa',
      meta: { trace_id: trace },
      data,
    },
  }
}

const pathOf = ({ segments }: ProviderRequest): string => segments.join('/')

export function drawnUuid(seed: number, ...parts: readonly string[]): string {
  const hex = drawnHex(seed, 'wompi-payouts', ...parts)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
