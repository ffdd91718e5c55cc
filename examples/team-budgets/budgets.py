"""One account for several teams, each with a budget: python budgets.py

Reads TRIVIUM_URL and TRIVIUM_ADMIN_TOKEN. Every call carries the tag of its team; the gateway refuses
a team whose budget is spent, and serves the others.
"""

from trivium_client import InsufficientCreditsError, Trivium, TriviumAdmin

BUDGETS_USD = {"search": 5.0, "support": 0.02}
CALLS = 5


def main() -> None:
    with TriviumAdmin() as admin:
        account = admin.accounts.create("Teams")
        admin.accounts.top_up(account.id, amount_usd=10, reason="budget of this quarter")
        key = admin.keys.create(account.id, name="teams", monthly_cap_usd=8)
        for team, amount in BUDGETS_USD.items():
            admin.budgets.set(account.id, tag="team", value=team, monthly_cap_usd=amount)
        for team in BUDGETS_USD:
            ask(key.key, team)
        print("team      requests  spent USD  budget USD")
        spent = {line.group: line for line in admin.usage(account_id=account.id, by="tag:team").usage}
        for budget in admin.budgets.list(account.id):
            line = spent[budget.value]
            print(
                f"{budget.value:<10}{line.requests:>8}{line.cost_usd:>11.3f}"
                f"{budget.monthly_cap_usd or 0:>12.2f}"
            )
        # For the next quarter, one budget is replaced, and the other is deleted.
        admin.budgets.set(account.id, tag="team", value="support", monthly_cap_usd=1)
        admin.budgets.delete(account.id, tag="team", value="search")
        left = [f"{one.value} {one.monthly_cap_usd} USD" for one in admin.budgets.list(account.id)]
        print("next quarter:", ", ".join(left))


def ask(api_key: str, team: str) -> None:
    """Searches until the team has spent its budget."""
    with Trivium(api_key=api_key, tags={"team": team}) as client:
        for number in range(CALLS):
            try:
                client.search(f"storage {number}", max_results=1, provider="exa")
            except InsufficientCreditsError as refused:
                print(f"{team} was refused: {refused.message}")
                return
        print(f"{team} made {CALLS} searches")


if __name__ == "__main__":
    main()
