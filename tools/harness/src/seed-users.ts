import { userEmail, USER_PASSWORD } from '@heliograph/bench-data';
import { localKeyRing } from '@heliograph/secrets';
import { tenancyEntities } from '@heliograph/tenancy';
import { Member, MembersService, User, usersEntities, UsersService } from '@heliograph/users';
import { benchWorkspaces, withSeedConnection } from './seed-connection';

/** Creates users with a password, who are all members of the first seeded organization. */
export async function seedUsers(databaseUrl: string, count: number): Promise<void> {
  await withSeedConnection(databaseUrl, [...tenancyEntities, ...usersEntities], async (dataSource, pool) => {
    const users = new UsersService(dataSource.getRepository(User), localKeyRing());
    const members = new MembersService(dataSource.getRepository(Member));
    const [first] = await benchWorkspaces(pool, 1);
    for (let index = 0; index < count; index++) {
      const details = { email: userEmail(index), name: `User ${index}`, password: USER_PASSWORD };
      const user = await users.prepare(details);
      await dataSource.transaction(async (transaction) => {
        await users.insert(transaction, user);
        await members.put(transaction, first?.organizationId ?? '', user.id, 'viewer');
      });
    }
  });
}
