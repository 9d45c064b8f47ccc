import { createDataSource, databaseSettings } from '@heliograph/database';
import { Organization, tenancyEntities } from '@heliograph/tenancy';
import { MembersService, usersEntities, UsersService } from '@heliograph/users';

export const USERS_PASSWORD = 'correct horse battery staple';

/** The address of the nth user of the bench. */
export function userEmail(index: number): string {
  return `user-${index}@bench.example`;
}

/** People who can log in, all of them members of the first seeded organization. */
export async function seedUsers(databaseUrl: string, count: number): Promise<void> {
  const settings = databaseSettings.parse({ DATABASE_URL: databaseUrl, DATABASE_POOL_SIZE: 2 });
  const dataSource = await createDataSource(settings, 'bench seed', [
    ...tenancyEntities,
    ...usersEntities,
  ]).initialize();
  const [users, members] = [new UsersService(dataSource), new MembersService(dataSource)];
  const { id: organizationId } = await dataSource
    .getRepository(Organization)
    .findOneOrFail({ where: {}, order: { createdAt: 'ASC' } });
  for (let index = 0; index < count; index++) {
    await dataSource.transaction(async (transaction) => {
      const user = await users.createUser(transaction, {
        email: userEmail(index),
        name: `User ${index}`,
        password: USERS_PASSWORD,
      });
      await members.put(transaction, organizationId, user.id, 'viewer');
    });
  }
  await dataSource.destroy();
}
