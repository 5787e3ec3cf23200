import type { CustomAction } from '../../src/protocol.ts'
import { useShop } from '../shop/shop-context.ts'
import { CustomerPicker } from './customer-picker.tsx'
import { MessageList } from './message-list.tsx'
import type { MessageName } from './message-name.ts'
import { TestData } from './test-data.tsx'

/** Whose inbox it is, what is in it, and what to try. */
export function InboxPanel(props: {
  open: MessageName
  read: ReadonlySet<MessageName>
  onOpen: (message: MessageName) => void
  onCustomer: (email: string) => void
  onCode: (code: string) => void
  onAction: (action: CustomAction) => void
}) {
  const { email } = useShop()
  return (
    <>
      <CustomerPicker email={email} onChange={props.onCustomer} />
      <MessageList open={props.open} read={props.read} onOpen={props.onOpen} />
      <TestData onCode={props.onCode} onAction={props.onAction} />
    </>
  )
}
