// Tracing as the settings want it. Null: it is off, and then nobody traces anything.

import type { TracingSettings } from '../core/tracing/settings.ts'
import type { Tracer } from '../core/tracing/trace.ts'
import { createExporter, type ExporterOptions, type ExportLimits } from './exporter.ts'
import { createTracer } from './tracer.ts'

export function openTracing(
  settings: TracingSettings | null,
  instanceId: string,
  count: ExporterOptions['count'],
  limits: Partial<ExportLimits> = {},
): Tracer | null {
  if (settings === null) return null
  const { url, headers, serviceName, sampler } = settings
  const resource = { serviceName, instanceId }
  return createTracer(sampler, createExporter({ url, headers, resource, count, limits }))
}
