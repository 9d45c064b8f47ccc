import type { Role } from '@heliograph/contracts';
import { composeMail, type Mail } from '@heliograph/mails';
import { toDay } from './moments';

const WHAT_A_ROLE_MAY: Readonly<Record<Role, string>> = {
  owner: 'Owner: everything, including who else is an owner',
  admin: 'Admin: people, keys, workspaces and billing',
  member: 'Member: senders, templates and messages',
  viewer: 'Viewer: looks, and changes nothing',
};

export interface InvitationDetails {
  organizationName: string;
  invitedBy: string;
  role: Role;
  link: string;
  expiresAt: Date;
}

export function invitationMail({ organizationName, invitedBy, role, link, expiresAt }: InvitationDetails): Mail {
  return composeMail(`Join ${organizationName}`, [
    { kind: 'heading', text: `You are invited to join ${organizationName}` },
    { kind: 'paragraph', text: `${invitedBy} would like to work with you there.` },
    {
      kind: 'facts',
      facts: [
        ['Organization', organizationName],
        ['Your role', WHAT_A_ROLE_MAY[role]],
        ['Valid until', toDay(expiresAt)],
      ],
    },
    { kind: 'button', label: 'Accept the invitation', url: link },
    {
      kind: 'note',
      text: 'The link is for you alone: do not pass it on. If you do not know who invited you, ignore this mail and nothing happens.',
    },
  ]);
}
