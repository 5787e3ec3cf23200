import type { MessageName } from '../inbox/message-name.ts'
import { texts } from '../texts.ts'
import type { EmailContent } from './email-content.ts'

/** What an email says above everything else: its own words, or that it has nothing to show. */
export function headlineOf(
  message: MessageName,
  content: EmailContent,
): { readonly subject: string; readonly title: string; readonly intro: string } {
  const { subject, title, intro, empty } = texts.messages[message]
  if (content === 'nothing') return { subject: empty.title, ...empty }
  if (content === 'stranger') return { subject: texts.stranger.title, ...texts.stranger }
  return { subject, title, intro }
}
