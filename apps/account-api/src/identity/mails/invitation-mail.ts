import type { Role } from '@heliograph/contracts';
import { composeMail, formatDay, type Mail } from '@heliograph/system-mail';

const WHAT_A_ROLE_MAY: Readonly<Record<Role, string>> = {
  owner: 'Owner: full access, including the management of owners',
  admin: 'Admin: members, API keys, workspaces and billing',
  member: 'Member: senders, templates and messages',
  viewer: 'Viewer: read-only access',
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
    { kind: 'paragraph', text: `${invitedBy} invited you to join the organization.` },
    {
      kind: 'facts',
      facts: [
        ['Organization', organizationName],
        ['Your role', WHAT_A_ROLE_MAY[role]],
        ['Valid until', formatDay(expiresAt)],
      ],
    },
    { kind: 'button', label: 'Accept the invitation', url: link },
    {
      kind: 'note',
      text: 'This link is personal: do not share it. If you did not expect this invitation, you can ignore this email.',
    },
  ]);
}
