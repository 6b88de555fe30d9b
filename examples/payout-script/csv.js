// Reads a CSV whose first line names the columns. Fields with commas stand in double quotes, a quote inside is doubled;
// line breaks inside a field are not for files like this one.

export function readCsv(text) {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  const names = fieldsOf(lines[0] ?? '')
  return lines.flatMap((line, index) => {
    if (index === 0 || line.trim() === '') return []
    const fields = fieldsOf(line)
    if (fields.length !== names.length)
      throw new Error(`Line ${index + 1} has ${fields.length} fields, the first line has ${names.length}.`)
    return [{ line: index + 1, ...Object.fromEntries(names.map((name, at) => [name, fields[at]])) }]
  })
}

function fieldsOf(line) {
  const fields = [...line.matchAll(/(?<=^|,)(?:"((?:[^"]|"")*)"|([^",]*))(?=,|$)/g)]
  return fields.map(([, quoted, plain]) => (quoted?.replaceAll('""', '"') ?? plain).trim())
}
