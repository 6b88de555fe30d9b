// A failure to start the embedded database. The message is one sentence that tells the operator what to do,
// followed by the last lines of PostgreSQL's log, if there are any.
export class EmbeddedPostgresFailure extends Error {
  override name = 'EmbeddedPostgresFailure'

  constructor(sentence: string, lastLines = '', options?: ErrorOptions) {
    super(lastLines === '' ? sentence : `${sentence}\n${lastLines}`, options)
  }
}
