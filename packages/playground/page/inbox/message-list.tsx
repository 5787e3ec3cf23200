import { useShop } from '../shop/shop-context.ts'
import { texts } from '../texts.ts'
import { messageNames, type MessageName } from './message-name.ts'

/** The emails of the inbox. */
export function MessageList(props: {
  open: MessageName
  read: ReadonlySet<MessageName>
  onOpen: (message: MessageName) => void
}) {
  const { config } = useShop()
  return (
    <nav className="inbox-section" aria-label={texts.inbox.title}>
      <h2 className="section-title">{texts.inbox.title}</h2>
      <ul className="messages">
        {messageNames.map((name) => {
          const { subject, preview } = texts.messages[name]
          const unread = !props.read.has(name)
          return (
            <li key={name}>
              <button
                type="button"
                className={unread ? 'message unread' : 'message'}
                aria-current={name === props.open}
                onClick={() => props.onOpen(name)}
              >
                <span className="message-from">
                  {config.shopName}
                  {unread && <span className="unseen">. {texts.inbox.unread}</span>}
                </span>
                <span className="message-subject">{subject}</span>
                <span className="message-preview">{preview}</span>
              </button>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
