"""Imports contacts from a CSV file and waits until the import is completed.

HELIOGRAPH_URL: the address of the gateway. HELIOGRAPH_KEY: an API key.
"""

import os
import sys
import time

from heliograph import Heliograph

client = Heliograph(
    api_key=os.environ["HELIOGRAPH_KEY"],
    base_url=os.environ.get("HELIOGRAPH_URL", "http://localhost:8080"),
)

CSV = b"""email,first_name,plan
python@elsewhere.example,Python,pro
snake@elsewhere.example,Snake,free
"""

job = client.contacts.imports.create(file=("contacts.csv", CSV, "text/csv"))
while job["status"] in ("queued", "running"):
    time.sleep(0.5)
    job = client.contacts.imports.get(job["id"])
if job["status"] != "completed":
    sys.exit(f"The import is {job['status']}: {(job['error'] or {}).get('message')}")
print(f"The import is {job['status']}: {job['created']} created, {job['updated']} updated.")

found = client.contacts.list(search="python@elsewhere").data[0]
print(f"The plan of {found['first_name']} is {found['attributes']['plan']}.")
