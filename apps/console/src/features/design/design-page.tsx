import { Inbox } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Cell, Column, Row, Table, TableBody, TableHeader } from 'react-aria-components/Table';
import { setTheme, THEMES, useTheme, type Theme } from '../../app/theme';
import { Badge } from '../../components/badge';
import { Button } from '../../components/button';
import { Callout } from '../../components/callout';
import { CheckboxGroup } from '../../components/checkbox';
import { CopyField } from '../../components/copy-field';
import { FormDialog } from '../../components/dialog';
import { Menu } from '../../components/menu';
import { PageHeader } from '../../components/page-header';
import { Select } from '../../components/select';
import { EmptyState, ErrorState, SkeletonRows } from '../../components/states';
import { TextField } from '../../components/text-field';
import { toast } from '../../components/toast';
import { strings } from '../../strings';

const COLORS = [
  'surface',
  'surface-sunken',
  'surface-hover',
  'surface-selected',
  'border',
  'border-strong',
  'text',
  'text-muted',
  'accent',
  'accent-text',
  'danger',
  'danger-text',
  'success-text',
  'warning-text',
];
const SIZES = ['2xl', 'xl', 'lg', 'md', 'sm', 'xs'];
const SPACES = ['1', '2', '3', '4', '5', '6', '7'];

/** The tokens and the shared components, for people who build screens. Its texts are examples. */
export function DesignPage() {
  const theme = useTheme();
  const [isOpen, setOpen] = useState(false);
  const [scopes, setScopes] = useState<string[]>(['read']);
  return (
    <main className="content">
      <PageHeader title={strings.design.title} text="Tokens and shared components. Every screen is made of them.">
        <Select<Theme>
          label={strings.shell.theme}
          isLabelHidden
          value={theme}
          onChange={setTheme}
          options={THEMES.map((each) => ({ value: each, label: strings.shell.themes[each] }))}
        />
      </PageHeader>
      <Part title="Colors">
        <ul className="swatches">
          {COLORS.map((name) => (
            <li key={name} className="row">
              <span className="swatch" style={{ background: `var(--${name})` }} />
              <code>{name}</code>
            </li>
          ))}
        </ul>
      </Part>
      <Part title="Type">
        {SIZES.map((size) => (
          <p key={size} style={{ fontSize: `var(--text-${size})` }}>
            Delivered in 1.2 seconds <code>text-{size}</code>
          </p>
        ))}
      </Part>
      <Part title="Space">
        {SPACES.map((space) => (
          <div key={space} className="row">
            <span className="swatch-space" style={{ width: `var(--space-${space})` }} />
            <code>space-{space}</code>
          </div>
        ))}
      </Part>
      <Part title="Button and menu">
        <div className="row">
          <Button variant="primary" onPress={() => toast('The message was sent.')}>
            Primary
          </Button>
          <Button>Default</Button>
          <Button variant="danger" onPress={() => setOpen(true)}>
            Danger
          </Button>
          <Button variant="quiet">Quiet</Button>
          <Button isPending>Pending</Button>
          <Button isDisabled>Disabled</Button>
          <Menu
            label="Example"
            trigger={<Button>Menu</Button>}
            entries={[
              { id: 'one', label: 'Rename', onAction: () => undefined },
              { id: 'two', label: 'Delete', onAction: () => undefined, isDangerous: true },
            ]}
          />
        </div>
      </Part>
      <Part title="Fields">
        <TextField label="Name" hint="Shown in lists." defaultValue="checkout" />
        <TextField label="Email address" defaultValue="ann@" problem="Enter a complete address." />
        <TextField label="Password" type="password" defaultValue="secret" />
        <Select
          label="Expires"
          value="never"
          onChange={() => undefined}
          options={[
            { value: 'never', label: 'Never' },
            { value: 'soon', label: 'In 30 days' },
          ]}
        />
        <CheckboxGroup
          label="Scopes"
          value={scopes}
          onChange={setScopes}
          options={[
            { value: 'read', label: 'Read' },
            { value: 'send', label: 'Send' },
          ]}
        />
      </Part>
      <Part title="Badge and callout">
        <div className="row">
          <Badge>Queued</Badge>
          <Badge tone="info">Sent</Badge>
          <Badge tone="success">Delivered</Badge>
          <Badge tone="warning">Expired</Badge>
          <Badge tone="danger">Failed</Badge>
        </div>
        <Callout>The session has ended.</Callout>
        <Callout tone="success">The address is verified.</Callout>
        <Callout tone="warning">The key is shown once.</Callout>
        <Callout tone="danger">The balance does not cover the message.</Callout>
      </Part>
      <Part title="Table">
        <div className="table-frame">
          <Table aria-label="Example" className="table">
            <TableHeader>
              <Column isRowHeader>Recipient</Column>
              <Column>Status</Column>
            </TableHeader>
            <TableBody>
              <Row id="1">
                <Cell className="cell-main">+91 98765 43210</Cell>
                <Cell>
                  <Badge tone="success">Delivered</Badge>
                </Cell>
              </Row>
            </TableBody>
          </Table>
        </div>
      </Part>
      <Part title="Copy">
        <CopyField value="01941f29-7c00-7000-8000-000000000001" label="Id" />
      </Part>
      <Part title="States">
        <SkeletonRows count={3} />
        <EmptyState icon={Inbox} title="No messages yet" text="Send the first one." />
        <ErrorState error={null} onRetry={() => undefined} />
      </Part>
      <FormDialog
        title="Revoke checkout?"
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        submitLabel="Revoke key"
        isDangerous
        isPending={false}
        error={null}
        onSubmit={() => setOpen(false)}
      >
        <p>Programs that use this key can no longer send.</p>
      </FormDialog>
    </main>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="card card-padded stack">
      <h2>{title}</h2>
      {children}
    </section>
  );
}
