import { parseArgs } from 'node:util'
import { isCurrency, isStoreError } from '@storeport/core'
import manifest from '../../package.json' with { type: 'json' }
import { StripeSettingsError } from '../stripe/settings.ts'
import { toStoreError } from '../stripe/to-store-error.ts'
import { type Account, standInNotice } from './account.ts'
import { inspect } from './inspect.ts'
import { type Terminal, verify } from './verify.ts'

const help = `Usage: storeport-stripe <command> [options]

Commands:
  inspect   Lists which prices and subscriptions of your account the store supports. Only reads.
  verify    Runs every operation in your sandbox account, and compares Stripe with the stand-in of the tests.
            Rejects live keys. Deletes or archives everything that it creates, also after Ctrl-C. Takes some minutes.

Options:
  --currency CODE   currency of the store, default USD
  --help            prints this text
  --version         prints the version

Environment variables:
  STRIPE_SECRET_KEY   API key of your Stripe account; is read only from this variable
  STRIPE_URL          base URL of a stand-in, default https://api.stripe.com

Exit codes: 0 success, 1 a check of verify failed or an object was not removed, 2 the command could not run, 130 interrupted.`

const options = {
  currency: { type: 'string', default: 'USD' },
  help: { type: 'boolean', default: false },
  version: { type: 'boolean', default: false },
} as const

/** Invalid arguments or environment variables. */
class UsageError extends Error {}

/** Runs the command `storeport-stripe` and returns its exit code. Prints failures instead of rejecting. */
export async function run(
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  terminal: Terminal,
): Promise<number> {
  try {
    const { values, positionals } = readArguments(words)
    const { currency } = values
    if (values.help || values.version) {
      terminal.out(values.help ? help : manifest.version)
      return 0
    }
    const [command] = positionals
    if ((command !== 'inspect' && command !== 'verify') || positionals.length > 1)
      throw new UsageError('The command must be inspect or verify. See storeport-stripe --help.')
    if (!isCurrency(currency)) throw new UsageError('--currency must be an ISO 4217 code, for example USD.')
    const account = readAccount(env)
    const notice = standInNotice(account)
    if (notice !== undefined) terminal.out(notice)
    if (command === 'inspect') {
      await inspect(account, currency, terminal.out)
      return 0
    }
    if (!account.key.startsWith('sk_test_'))
      throw new UsageError('verify requires the secret test key of a sandbox account, which begins with sk_test_.')
    return await verify(account, currency, terminal)
  } catch (error) {
    terminal.err(`storeport-stripe: ${explain(error)}`)
    return 2
  }
}

function readArguments(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true })
  } catch {
    throw new UsageError('Unknown option or missing value. See storeport-stripe --help.')
  }
}

function readAccount({ STRIPE_SECRET_KEY: key, STRIPE_URL: url }: Parameters<typeof run>[1]): Account {
  if (key === undefined || key === '')
    throw new UsageError('Set the environment variable STRIPE_SECRET_KEY to your Stripe API key.')
  if (!/^[rs]k_\w+$/.test(key))
    throw new UsageError(
      'STRIPE_SECRET_KEY must be a secret or restricted key (sk_… or rk_…), without spaces or quotes.',
    )
  if (url !== undefined && !(/^https?:/.test(url) && URL.canParse(url)))
    throw new UsageError('STRIPE_URL must be a URL such as http://127.0.0.1:3000.')
  return { key, url: new URL(url ?? 'https://api.stripe.com') }
}

/** Returns a message without Stripe's message, which can contain an email and part of the API key. */
function explain(error: unknown): string {
  if (error instanceof UsageError || error instanceof StripeSettingsError) return error.message
  const { message, cause } = isStoreError(error) ? error : toStoreError(error, 'refused')
  if (cause instanceof StripeSettingsError) return cause.message
  return cause instanceof Error ? `${message} (${cause.message})` : message
}
