import { Cell, Column, Row, Table, TableBody, TableHeader } from 'react-aria-components/Table';
import { Time } from '../../components/time';
import { strings } from '../../strings';
import type { LoggedMessage } from './message-queries';
import { StatusBadge } from './status-badge';

const texts = strings.messages;

/** A row opens with a click or Enter. */
export function MessagesTable(props: { messages: readonly LoggedMessage[]; onOpen: (id: string) => void }) {
  const { messages, onOpen } = props;
  return (
    <div className="table-frame">
      <Table aria-label={texts.title} className="table" onRowAction={(id) => onOpen(String(id))}>
        <TableHeader>
          <Column isRowHeader>{texts.columns.recipient}</Column>
          <Column className="wide-only">{texts.columns.content}</Column>
          <Column>{texts.columns.status}</Column>
          <Column>{texts.columns.time}</Column>
        </TableHeader>
        <TableBody>
          {messages.map((message) => (
            <Row key={message.id} id={message.id} textValue={message.recipient}>
              <Cell>
                <span className="cell-main">{message.recipient}</span>
              </Cell>
              <Cell className="wide-only">
                <span className="excerpt">{message.content}</span>
              </Cell>
              <Cell>
                <StatusBadge status={message.status} />
              </Cell>
              <Cell>
                <Time value={message.createdAt} />
              </Cell>
            </Row>
          ))}
        </TableBody>
      </Table>
    </div>
  );
}
