import { readFile } from 'node:fs/promises'
import { parse, type ParseError } from 'jsonc-parser'
import { parseProfile } from './parse-profile.ts'
import type { Profile } from './profile.ts'

/** Reads a profile from a file, in the form that `--init` writes; rejects with TypeError for one that cannot be read or holds no profile. */
export async function readProfile(file: string): Promise<Profile> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new TypeError(`the file ${file} cannot be read`, { cause })
  })
  try {
    return parseProfile(parseJsonc(text))
  } catch (error) {
    if (error instanceof SyntaxError) throw new TypeError(`${file} ${error.message}`, { cause: error })
    if (error instanceof TypeError) throw new TypeError(`${file}\n${error.message}`, { cause: error })
    throw error
  }
}

/** Reads JSON with `//` and block comments and commas before a closing bracket; throws SyntaxError that names the line. */
export function parseJsonc(text: string): unknown {
  const errors: ParseError[] = []
  const json = text.replace(/^\uFEFF/, '')
  const value: unknown = parse(json, errors, { allowTrailingComma: true })
  const [first] = errors
  if (first === undefined) return value
  throw new SyntaxError(`is no JSON from line ${json.slice(0, first.offset).split('\n').length} on`)
}
