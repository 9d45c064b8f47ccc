-- Locks the bot, deletes the entries of the items, and updates the statistics.
CREATE OR REPLACE FUNCTION bot_search.remove(of_bot uuid, of_kind text, item_ids text[])
RETURNS void
LANGUAGE plpgsql
SET jit = off SET enable_seqscan = off SET enable_mergejoin = off AS $$
DECLARE
  bot integer;
  gone bigint[];
  removed integer;
BEGIN
  INSERT INTO bot_search.bots AS b (bot_id) VALUES (of_bot)
    ON CONFLICT (bot_id) DO UPDATE SET faqs = b.faqs
    RETURNING b.number INTO bot;
  SELECT array_agg(e.id), count(*)::integer INTO gone, removed FROM bot_search.entries AS e
   WHERE e.bot_number = bot AND e.kind = of_kind AND e.item_id = ANY (item_ids);
  IF removed = 0 THEN
    RETURN;
  END IF;

  UPDATE bot_search.lexemes AS l
     SET faqs = l.faqs - CASE of_kind WHEN 'f' THEN d.entries ELSE 0 END,
         passages = l.passages - CASE of_kind WHEN 'k' THEN d.entries ELSE 0 END
    FROM (SELECT u.number, count(*) AS entries
            FROM bot_search.entries AS e CROSS JOIN LATERAL unnest(e.lexemes) AS u (number)
           WHERE e.id = ANY (gone) GROUP BY u.number) AS d
   WHERE l.number = d.number;
  DELETE FROM bot_search.lexemes AS l
   USING (SELECT DISTINCT u.number
            FROM bot_search.entries AS e CROSS JOIN LATERAL unnest(e.lexemes) AS u (number)
           WHERE e.id = ANY (gone)) AS d
   WHERE l.number = d.number AND l.faqs = 0 AND l.passages = 0;
  DELETE FROM bot_search.postings AS p
   USING (SELECT e.id, u.number
            FROM bot_search.entries AS e CROSS JOIN LATERAL unnest(e.lexemes) AS u (number)
           WHERE e.id = ANY (gone)) AS d
   WHERE p.lexeme = d.number AND p.kind = of_kind AND p.entry_id = d.id;

  UPDATE bot_search.words AS w
     SET entries = w.entries - d.entries
    FROM (SELECT u.word COLLATE "C" AS word, count(*) AS entries
            FROM bot_search.entries AS e CROSS JOIN LATERAL unnest(e.words) AS u (word)
           WHERE e.id = ANY (gone) GROUP BY 1) AS d
   WHERE w.bot_number = bot AND w.word = d.word;
  DELETE FROM bot_search.words AS w
   USING (SELECT DISTINCT u.word COLLATE "C" AS word
            FROM bot_search.entries AS e CROSS JOIN LATERAL unnest(e.words) AS u (word)
           WHERE e.id = ANY (gone)) AS d
   WHERE w.bot_number = bot AND w.word = d.word AND w.entries = 0;

  DELETE FROM bot_search.entries AS e WHERE e.id = ANY (gone);
  UPDATE bot_search.bots AS b
     SET faqs = b.faqs - CASE of_kind WHEN 'f' THEN removed ELSE 0 END,
         passages = b.passages - CASE of_kind WHEN 'k' THEN removed ELSE 0 END
   WHERE b.bot_id = of_bot;
END $$;
