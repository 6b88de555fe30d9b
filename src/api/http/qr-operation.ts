// A QR code as an image of its own, for whoever prints or shows it: a drawing that scales, or a picture of points.

import { Type } from '../../core/json-schema.ts'
import type { Scope } from '../../core/organizations/scope.ts'
import { qrPng, qrSvg } from '../../core/qr-image.ts'
import { isRefusal, type Refusal, type RefusalCode, refuse } from '../../core/refusal.ts'
import type { ApiRequest, Operation, PathParameter } from './operation.ts'

export const IMAGE_FORMATS = ['svg', 'png'] as const
const MEDIA_TYPES = { svg: 'image/svg+xml', png: 'image/png' } as const

export type QrSubject = Pick<Operation, 'operationId' | 'tag' | 'summary' | 'description'> & {
  // Of what it is the code: its path, with its id.
  readonly path: string
  readonly params: Readonly<Record<string, PathParameter>>
  readonly scope: Scope
  readonly shown: 'apiKey' | 'accessToken'
  readonly refusals: readonly RefusalCode[]
  // The text that the code holds.
  readonly textOf: (request: ApiRequest) => Promise<string | Refusal>
}

export function qrOperation({ path, params, scope, shown, textOf, ...subject }: QrSubject): Operation {
  return {
    ...subject,
    method: 'GET',
    path: `${path}/qr.{format}`,
    access: { scope, shown },
    params: {
      ...params,
      format: { description: 'Of the image: `svg` or `png`.', example: 'svg', enum: IMAGE_FORMATS },
    },
    success: {
      status: 200,
      description: 'The image.',
      schema: Type.String({ format: 'binary' }),
      examples: {},
      mediaTypes: Object.values(MEDIA_TYPES),
    },
    handle: async (request) => {
      // Whoever may not know of it learns nothing, whatever the format.
      const text = await textOf(request)
      if (isRefusal(text)) return text
      const format = IMAGE_FORMATS.find((one) => one === request.params.format)
      if (format === undefined) return refuse('NOT_FOUND', 'A QR code is an svg or a png.')
      const bytes = format === 'svg' ? Buffer.from(qrSvg(text)) : qrPng(text)
      return { status: 200, body: '', image: { mediaType: MEDIA_TYPES[format], bytes } }
    },
  }
}
