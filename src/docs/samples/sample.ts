// The same call in three ways: curl, TypeScript, the command line. All three are generated from the OpenAPI examples
// alone, and a test runs every one of them.

import type { ApiOperation, NamedExample } from '../open-api.ts'
import type { Block, Sample } from '../print/block.ts'
import type { Call } from './call.ts'
import { cliSample } from './cli.ts'
import { curlSample } from './curl.ts'
import { typescriptSample } from './typescript.ts'

/** One block per example of the body. Those after the first are folded. */
export function sampleBlocks(operation: ApiOperation, baseUrl: string): Block[] {
  const examples: readonly (NamedExample | undefined)[] = operation.body?.examples ?? [undefined]
  return (examples.length === 0 ? [undefined] : examples).map((example, index) => ({
    kind: 'samples',
    id: example === undefined ? operation.operationId : `${operation.operationId}-${example.key}`,
    caption: example === undefined || example.key === 'example' ? 'Request' : example.summary,
    samples: samplesOf({ operation, body: example?.value, baseUrl }),
    ...(index > 0 && { folded: true }),
  }))
}

export function samplesOf(call: Call): Sample[] {
  const candidates: { label: string; language: string; text: string | undefined }[] = [
    { label: 'curl', language: 'sh', text: curlSample(call) },
    { label: 'TypeScript', language: 'ts', text: typescriptSample(call) },
    { label: 'CLI', language: 'sh', text: cliSample(call) },
  ]
  return candidates.filter((one): one is Sample => one.text !== undefined)
}
