// The settings of tracing, by the names and meanings of OpenTelemetry's specification. Off where no endpoint is named.

import { SAMPLERS, type Sampler, type SamplerName, samplerOf } from './trace.ts'

export type TracingSettings = {
  // Where spans are sent, as OTLP over HTTP in JSON.
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly serviceName: string
  readonly sampler: Sampler
}

// One in twenty is enough to see where time goes, and costs little.
const DEFAULT_SAMPLER = 'parentbased_traceidratio'
const DEFAULT_RATIO = 0.05

export function readTracing(
  text: (name: string) => string | null,
  mistakes: string[],
): TracingSettings | null {
  const endpoint = text('OTEL_EXPORTER_OTLP_ENDPOINT')
  const serviceName = text('OTEL_SERVICE_NAME') ?? 'recaudo'
  const sampler = text('OTEL_TRACES_SAMPLER') ?? DEFAULT_SAMPLER
  const ratio = text('OTEL_TRACES_SAMPLER_ARG')
  const url = endpoint === null ? null : URL.parse(endpoint)
  const isAddress = url !== null && ['http:', 'https:'].includes(url.protocol) && url.hostname !== ''
  // Its user and password would be secret, so its value is not printed.
  if (endpoint !== null && (!isAddress || url.username !== '' || url.password !== ''))
    mistakes.push(
      'OTEL_EXPORTER_OTLP_ENDPOINT must be an address that begins with http:// or https://, without user and password: those go into OTEL_EXPORTER_OTLP_HEADERS.',
    )
  const headers = readHeaders(text('OTEL_EXPORTER_OTLP_HEADERS'), mistakes)
  if (!/^[\x21-\x7e]{1,100}$/.test(serviceName))
    mistakes.push(
      `OTEL_SERVICE_NAME must be 1 to 100 printable ASCII characters without spaces, not ${JSON.stringify(serviceName)}.`,
    )
  if (!SAMPLERS.includes(sampler as SamplerName))
    mistakes.push(
      `OTEL_TRACES_SAMPLER must be one of ${SAMPLERS.join(', ')}, not ${JSON.stringify(sampler)}.`,
    )
  if (ratio !== null && !(/^\d*\.?\d+$/.test(ratio) && Number(ratio) <= 1))
    mistakes.push(`OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not ${JSON.stringify(ratio)}.`)
  if (endpoint === null) return null
  return Object.freeze({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers,
    serviceName,
    sampler: samplerOf(sampler as SamplerName, ratio === null ? DEFAULT_RATIO : Number(ratio)),
  })
}

// api-key=abc,x-tenant=cafe: values are percent-encoded. They are secret, so they are not printed.
function readHeaders(value: string | null, mistakes: string[]): Record<string, string> {
  const pairs = (value ?? '')
    .split(',')
    .filter((pair) => pair.trim() !== '')
    .map((pair) => /^\s*([A-Za-z0-9!#$&.^_|~-]+)\s*=\s*([\x21-\x7e]*)\s*$/.exec(pair))
  try {
    return Object.fromEntries(
      pairs.map((pair) => {
        if (pair === null) throw new URIError()
        const decoded = decodeURIComponent(pair[2] as string)
        if (!/^[\x20-\x7e]*$/.test(decoded)) throw new URIError()
        return [(pair[1] as string).toLowerCase(), decoded]
      }),
    )
  } catch {
    mistakes.push(
      'OTEL_EXPORTER_OTLP_HEADERS must be of the form name=value,other=value, with percent-encoded values.',
    )
    return {}
  }
}
