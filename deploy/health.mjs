// The image's health check, for supervisors that ask no address themselves: ends with 0 if the process in this container
// answers /healthz. An image without curl needs a program of its own for it.

const port = process.env.PORT ?? '4000'
const answer = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(2_000) }).catch(
  () => undefined,
)
process.exitCode = answer?.ok ? 0 : 1
