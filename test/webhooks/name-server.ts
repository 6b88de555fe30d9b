// A name server over UDP on this machine that gives scripted answers, so that tests can lie about names as an attacker
// would. It answers A, AAAA and CNAME. For any other type the name exists without records.

import { createSocket } from 'node:dgram'
import { once } from 'node:events'

export type NameServer = AsyncDisposable & { readonly address: string; readonly questions: string[] }

// The addresses of IPv6 have all their groups.
type Named = { alias?: string; addresses: string[]; sixes?: string[] }

// `answer` is called for each query, with how often A was queried of the name before. Undefined: no such name.
export async function nameServer(
  answer: (name: string, before: number) => Named | undefined,
): Promise<NameServer> {
  const socket = createSocket('udp4')
  const questions: string[] = []
  const ids: string[] = []
  socket.on('message', (query, from) => {
    const { name, type, end } = question(query)
    // On a busy machine the same query is repeated. It gets the same answer, and counts once.
    const id = `${query.readUInt16BE(0)} ${name}`
    if (type === TYPE_A && !ids.includes(id)) {
      ids.push(id)
      questions.push(name)
    }
    const found = answer(name, questions.filter((asked) => asked === name).length - 1)
    const records = found === undefined ? [] : recordsOf(name, type, found)
    const header = Buffer.from(query.subarray(0, 12))
    header.writeUInt16BE(found === undefined ? 0x8183 : 0x8180, 2)
    header.writeUInt16BE(records.length, 6)
    header.writeUInt32BE(0, 8)
    socket.send(Buffer.concat([header, query.subarray(12, end), ...records]), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    [Symbol.asyncDispose]: async () => {
      socket.close()
      await once(socket, 'close')
    },
  }
}

const TYPE_A = 1
const TYPE_CNAME = 5
const TYPE_AAAA = 28

function question(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let size = query.readUInt8(at); size > 0; size = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + size))
    at += 1 + size
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

function recordsOf(name: string, type: number, { alias, addresses, sixes = [] }: Named): Buffer[] {
  const owner = alias ?? name
  const found = new Map([
    [TYPE_A, addresses.map((address) => Buffer.from(address.split('.').map(Number)))],
    [TYPE_AAAA, sixes.map((six) => Buffer.from(six.replace(/[^:]+/g, padded).replaceAll(':', ''), 'hex'))],
  ]).get(type)
  if (found === undefined || found.length === 0) return []
  const aliased = alias === undefined ? [] : [record(name, TYPE_CNAME, encoded(alias))]
  return [...aliased, ...found.map((data) => record(owner, type, data))]
}

const padded = (group: string): string => group.padStart(4, '0')

function record(name: string, type: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10)
  fixed.writeUInt16BE(type, 0)
  fixed.writeUInt16BE(1, 2)
  fixed.writeUInt16BE(data.length, 8)
  return Buffer.concat([encoded(name), fixed, data])
}

function encoded(name: string): Buffer {
  const labels = name
    .split('.')
    .map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]))
  return Buffer.concat([...labels, Buffer.from([0])])
}
