// The tour with the client of oapi-codegen.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"example.test/tour/client"
)

func main() {
	ctx := context.Background()
	caller := connect(os.Getenv("TRIVIUM_API_KEY"))
	operator := connect(os.Getenv("TRIVIUM_ADMIN_TOKEN"))

	found, err := caller.SearchWebWithResponse(ctx, nil, client.SearchRequest{Query: "solar energy"})
	check(err)
	url := found.JSON200.Results[0].Url
	pages, err := caller.ExtractPagesWithResponse(ctx, nil, client.ExtractRequest{Urls: []string{url}})
	check(err)
	recording := client.TranscriptionRequest{AudioUrl: os.Getenv("TOUR_AUDIO_URL")}
	accepted, err := caller.CreateTranscriptionWithResponse(ctx, nil, recording)
	check(err)
	job, err := caller.ReadJobWithResponse(ctx, accepted.JSON202.Id, nil)
	check(err)
	balance, err := caller.ReadBalanceWithResponse(ctx)
	check(err)
	engine, offset, strict := client.SearchRequestProvider("engine_a"), 10, true
	refused, err := caller.SearchWebWithResponse(ctx, nil, client.SearchRequest{
		Query: "x", Provider: &engine, Offset: &offset, Strict: &strict,
	})
	check(err)
	accounts, err := operator.ListAccountsWithResponse(ctx, nil)
	check(err)
	fmt.Println("toured",
		pages.JSON200.Results[0].Url == url,
		job.JSON200.Id == accepted.JSON202.Id && job.JSON200.Tool == "transcription",
		balance.JSON200.BalanceUsd > 0,
		refused.JSON400.Error.Type == "invalid_request",
		len(accounts.JSON200.Accounts) > 0)
}

func connect(token string) *client.ClientWithResponses {
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+token)
		return nil
	}
	made, err := client.NewClientWithResponses(os.Getenv("TRIVIUM_URL"), client.WithRequestEditorFn(authorize))
	check(err)
	return made
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
