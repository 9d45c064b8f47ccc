import type { KeyRecord } from '@heliograph/sdk';
import { Ellipsis } from 'lucide-react';
import { Cell, Column, Row, Table, TableBody, TableHeader } from 'react-aria-components/Table';
import { Badge, type BadgeTone } from '../../components/badge';
import { Button } from '../../components/button';
import { Menu, type MenuEntry } from '../../components/menu';
import { Time } from '../../components/time';
import { strings } from '../../strings';
import { stateOf, type KeyState } from './key-queries';

const texts = strings.keys;

const TONES: Readonly<Record<KeyState, BadgeTone>> = {
  active: 'success',
  rotating: 'info',
  expired: 'warning',
  revoked: 'neutral',
};

export interface KeysTableProps {
  keys: readonly KeyRecord[];
  canChange: boolean;
  onRotate: (key: KeyRecord) => void;
  onRevoke: (key: KeyRecord) => void;
}

export function KeysTable({ keys, canChange, onRotate, onRevoke }: KeysTableProps) {
  const now = new Date();
  return (
    <div className="table-frame">
      <Table aria-label={texts.title} className="table">
        <TableHeader>
          <Column isRowHeader>{texts.columns.name}</Column>
          <Column className="wide-only">{texts.columns.access}</Column>
          <Column>{texts.columns.status}</Column>
          <Column className="wide-only">{texts.columns.lastUsed}</Column>
          <Column className="wide-only">{texts.columns.expires}</Column>
          <Column>
            <span className="visually-hidden">{texts.columns.actions}</span>
          </Column>
        </TableHeader>
        <TableBody>
          {keys.map((key) => (
            <Row key={key.id} id={key.id} textValue={key.name}>
              <Cell>
                <span className="cell-main">{key.name}</span>
                <br />
                <code className="muted">…{key.lastFour}</code>
              </Cell>
              <Cell className="wide-only">{accessOf(key)}</Cell>
              <Cell>
                <State apiKey={key} now={now} />
              </Cell>
              <Cell className="wide-only">
                {key.lastUsedAt === null ? (
                  <span className="muted">{strings.time.never}</span>
                ) : (
                  <Time value={key.lastUsedAt} />
                )}
              </Cell>
              <Cell className="wide-only">
                {key.expiresAt === null ? (
                  <span className="muted">{strings.time.never}</span>
                ) : (
                  <Time value={key.expiresAt} />
                )}
              </Cell>
              <Cell className="numeric">
                {canChange && key.revokedAt === null && (
                  <Menu
                    label={strings.actions.actionsOf(key.name)}
                    trigger={
                      <Button variant="quiet" isIcon aria-label={strings.actions.actionsOf(key.name)}>
                        <Ellipsis size={16} aria-hidden />
                      </Button>
                    }
                    entries={actionsOf(
                      () => onRotate(key),
                      () => onRevoke(key),
                    )}
                  />
                )}
              </Cell>
            </Row>
          ))}
        </TableBody>
      </Table>
    </div>
  );
}

function State({ apiKey, now }: { apiKey: KeyRecord; now: Date }) {
  const state = stateOf(apiKey, now);
  return (
    <>
      <Badge tone={TONES[state]}>{texts.status[state]}</Badge>
      {state === 'rotating' && apiKey.previousSecretExpiresAt !== null && (
        <span className="field-hint">
          <br />
          {texts.rotatingUntil} <Time value={apiKey.previousSecretExpiresAt} form="absolute" />
        </span>
      )}
    </>
  );
}

function accessOf({ scopes, role }: KeyRecord): string {
  if (scopes.length === 0) return `${texts.allScopes} (${strings.roles[role]})`;
  return scopes.map((scope) => texts.scopes[scope]).join(', ');
}

function actionsOf(onRotate: () => void, onRevoke: () => void): MenuEntry[] {
  return [
    { id: 'rotate', label: texts.rotate.action, onAction: onRotate },
    { id: 'revoke', label: texts.revoke.action, onAction: onRevoke, isDangerous: true },
  ];
}
